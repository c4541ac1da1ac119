// make-session.mjs AGENT <CANONICAL: the smallest session file of AGENT that holds the canonical lines
// {"role","content","tool_calls","tool_call_id","metadata":{"is_error"}}. A reference to check the kit with, and no more.

import { readFileSync } from 'node:fs';
import { lines } from './neutral.mjs';

const T0 = Date.UTC(2026, 0, 1), time = (i) => T0 + i * 1000, stamp = (i) => new Date(time(i)).toISOString();
const hex = (i, n) => i.toString(16).padStart(n, '0');
const text = (m) => typeof m.content === 'string' ? m.content : (m.content || []).map((p) => p.text).filter((t) => t !== undefined).join('\n');
const failed = (m) => (m.metadata || {}).is_error === true;
const calls = (m) => (m.tool_calls || []).map((c) => ({ id: c.id, name: c.function.name, args: JSON.parse(c.function.arguments || '{}') }));

const MAKE = {
  'claude-code'(list) {
    const session = '00000000-0000-4000-8000-000000000001', uuid = (i) => `00000000-0000-4000-8001-${hex(i, 12)}`, out = [];
    let results = null;                              // the results of one group stand in one record
    const put = (role, message) => {
      const i = out.length + 1;
      out.push({ parentUuid: i > 1 ? uuid(i - 1) : null, isSidechain: false, sessionId: session, type: role, message, uuid: uuid(i), timestamp: stamp(i) });
    };
    for (const m of list) {
      if (m.role === 'tool') {
        if (!results) put('user', { role: 'user', content: results = [] });
        results.push({ type: 'tool_result', tool_use_id: m.tool_call_id, content: text(m), ...(failed(m) ? { is_error: true } : {}) });
        continue;
      }
      results = null;
      if (m.role === 'user') put('user', { role: 'user', content: text(m) });
      if (m.role === 'assistant') put('assistant', { id: `msg_${hex(out.length + 1, 8)}`, type: 'message', role: 'assistant', model: 'm',
        content: [...(text(m) ? [{ type: 'text', text: text(m) }] : []), ...calls(m).map((c) => ({ type: 'tool_use', id: c.id, name: c.name, input: c.args }))],
        stop_reason: null, stop_sequence: null, usage: { input_tokens: 0, output_tokens: 0 } });
    }
    return out;
  },

  codex(list) {
    const out = [], put = (type, payload) => out.push({ timestamp: stamp(out.length), type, payload });
    put('session_meta', { id: '01990000-0000-7000-8000-000000000001', timestamp: stamp(0), cwd: '/', originator: 'ctx', cli_version: '0.169.0' });
    for (const m of list) {
      if (m.role === 'tool') { put('response_item', { type: 'function_call_output', call_id: m.tool_call_id, output: text(m) }); continue; }
      if (text(m)) put('response_item', { type: 'message', role: m.role, content: [{ type: m.role === 'assistant' ? 'output_text' : 'input_text', text: text(m) }] });
      for (const c of calls(m)) put('response_item', { type: 'function_call', name: c.name, arguments: JSON.stringify(c.args), call_id: c.id });
    }
    return out;
  },

  pi(list) {
    const out = [{ type: 'session', version: 3, id: '01990000-0000-7000-8000-000000000001', timestamp: stamp(0), cwd: '/' }], names = {};
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
    for (const m of list) {
      const i = out.length, say = text(m) ? [{ type: 'text', text: text(m) }] : [];
      let message;
      for (const c of calls(m)) names[c.id] = c.name;
      if (m.role === 'tool') message = { role: 'toolResult', toolCallId: m.tool_call_id, toolName: names[m.tool_call_id] || 'tool', content: say, isError: failed(m) };
      else if (m.role === 'user') message = { role: 'user', content: say };
      else if (m.role === 'assistant') message = { role: 'assistant', api: 'openai-completions', provider: 'mock', model: 'm', usage,
        content: [...say, ...calls(m).map((c) => ({ type: 'toolCall', id: c.id, name: c.name, arguments: c.args }))], stopReason: m.tool_calls ? 'toolUse' : 'stop' };
      else continue;
      out.push({ type: 'message', id: hex(i, 8), parentId: i > 1 ? hex(i - 1, 8) : null, timestamp: stamp(i), message: { ...message, timestamp: time(i) } });
    }
    return out;
  },

  opencode(list) {
    const sessionID = 'ses_000000000001ctxctxctxctxct', pad = 'a'.repeat(14), messages = [], open = {};
    let parts = 0, parentID;
    const part = (messageID, p) => ({ id: `prt_${hex(++parts, 12)}${pad}`, sessionID, messageID, ...p });
    list.forEach((m, i) => {
      const id = `msg_${hex(i + 1, 12)}${pad}`, say = text(m) ? [part(id, { type: 'text', text: text(m) })] : [];
      if (m.role === 'user') {
        parentID = id;
        messages.push({ info: { id, sessionID, role: 'user', time: { created: time(i) }, agent: 'build', model: { providerID: 'mock', modelID: 'm' } }, parts: say });
      } else if (m.role === 'assistant') {
        for (const c of calls(m)) say.push(open[c.id] = part(id, { type: 'tool', callID: c.id, tool: c.name, state: { status: 'pending', input: c.args, raw: '' } }));
        messages.push({ info: { id, sessionID, role: 'assistant', time: { created: time(i), completed: time(i) }, parentID, modelID: 'm', providerID: 'mock', mode: 'build', agent: 'build',
          path: { cwd: '/', root: '/' }, cost: 0, tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }, finish: m.tool_calls ? 'tool-calls' : 'stop' }, parts: say });
      } else if (m.role === 'tool' && open[m.tool_call_id]) {
        const p = open[m.tool_call_id], t = { start: time(i), end: time(i) };
        p.state = failed(m) ? { status: 'error', input: p.state.input, error: text(m), time: t }
          : { status: 'completed', input: p.state.input, output: text(m), title: p.tool, metadata: {}, time: t };
      }
    });
    return { info: { id: sessionID, slug: 'ctx', projectID: 'global', directory: '/', title: 'ctx', version: '1.18.33', time: { created: T0, updated: time(list.length) } }, messages };
  },

  'gemini-cli'(list) {
    const out = [{ sessionId: '00000000-0000-4000-8000-000000000001', projectHash: '0'.repeat(64), startTime: stamp(0), lastUpdated: stamp(list.length), kind: 'main' }], open = {};
    list.forEach((m, i) => {
      const id = `00000000-0000-4000-8001-${hex(i + 1, 12)}`, timestamp = stamp(i);
      if (m.role === 'user') out.push({ id, timestamp, type: 'user', content: [{ text: text(m) }] });
      else if (m.role === 'assistant') {
        const toolCalls = calls(m).map((c) => open[c.id] = { id: c.id, name: c.name, args: c.args, status: 'success', timestamp });
        out.push({ id, timestamp, type: 'gemini', content: text(m), thoughts: [], model: 'm', ...(toolCalls.length ? { toolCalls } : {}) });
      } else if (m.role === 'tool' && open[m.tool_call_id]) {
        const c = open[m.tool_call_id];
        c.status = failed(m) ? 'error' : 'success';
        c.result = [{ functionResponse: { id: c.id, name: c.name, response: { [failed(m) ? 'error' : 'output']: text(m) } } }];
      }
    });
    return out;
  },
};
const make = MAKE[process.argv[2]];
if (!make) { console.error(`usage: make-session.mjs AGENT <CANONICAL   AGENT: ${Object.keys(MAKE).join(' ')}`); process.exit(64); }
const made = make(lines(readFileSync(0, 'utf8')));
process.stdout.write(Array.isArray(made) ? made.map((x) => JSON.stringify(x) + '\n').join('') : JSON.stringify(made, null, 1) + '\n');
