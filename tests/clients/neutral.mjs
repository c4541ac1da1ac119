// Request bodies and ctx lines as neutral messages: {"role","text","calls":[{"id","name","arguments"}],
// "results":[{"id","text","error"}],"thinking","client"}. Results are of role tool; error is missing where the
// API has no member for it. client marks what the client added: system prompt, environment, reminders, closings
// and the new prompt. Parts that are no text are "[image]", "[document]" or "[TYPE]".

import { readFileSync } from 'node:fs';

export const PROMPT = 'Please say ok, and nothing else.';
export const API = { 'claude-code': 'anthropic', codex: 'responses', pi: 'anthropic', opencode: 'anthropic', 'gemini-cli': 'gemini' };
// Claude Code ends a text with LF when it joins two messages: at a joint one LF is as good as none.
export const join = (a, b) => !a ? b : a.endsWith('\n') ? a + b : a + '\n' + b;
const parse = (s) => { try { return JSON.parse(s); } catch { return s; } };
export const lines = (text) => text.split('\n').filter((l) => l.trim()).map((l) => JSON.parse(l));

// Texts that a client adds to what it loaded, whole text by whole text.
const ADDED = {
  'claude-code': [/^<system-reminder>[^]*<\/system-reminder>\s*$/, /^\(no content\)$/, /^No response requested\.$/,
    /^\[Tool call interrupted/, /^Continue from where you left off\.$/],
  codex: [/^<(environment_context|permissions instructions|skills_instructions|user_instructions|collaboration_mode|apps_instructions|plugins_instructions|multi_agent_mode|personality_spec|model_switch)[ >]/,
    /^# AGENTS\.md instructions/, /^aborted$/],
  pi: [/^No result provided$/],
  opencode: [/^<system-reminder>[^]*<\/system-reminder>\s*$/],
  'gemini-cli': [/^<session_context>[^]*<\/session_context>\s*$/, /^\[The previous response was interrupted before it completed\.\]$/],
};
// Every string of FILE: what the session holds is not the client's own.
function strings(file) {
  const held = new Set(), thought = held.thought = new Set(), walk = (v) => {
    if (typeof v === 'string') held.add(v.trim());
    else if (v && typeof v === 'object') {
      if (v.type === 'thinking' || v.type === 'reasoning') thought.add(String(v.thinking ?? v.text).trim());
      Object.values(v).forEach(walk);
    }
  };
  const text = readFileSync(file, 'utf8'), whole = parse(text);
  if (typeof whole === 'object') walk(whole);
  else for (const l of text.split('\n')) { const v = parse(l); if (v !== l && !/^api-request/.test(v?.type)) walk(v); }   // no copies of requests
  return held;
}

class Writer {
  constructor(agent, held) { this.out = []; this.agent = agent; this.held = held; this.line = null; }
  next() { this.line = null; }                           // the next part begins a new message
  on(role, client) {
    if (!this.line || this.line.role !== role || !!this.line.client !== !!client) {
      this.line = { role, text: null, calls: [], results: [] };
      if (client) this.line.client = true;
      this.out.push(this.line);
    }
    return this.line;
  }
  own(text) {                                            // is this text the client's own?
    if (!this.agent || (this.held && this.held.has(text.trim()))) return false;
    return ADDED[this.agent].some((r) => r.test(text.trim()));
  }
  text(role, text) {
    if (typeof text !== 'string' || text === '') return;
    if (role === 'assistant' && this.held && this.held.thought.has(text.trim())) return this.thinking(role, text);   // sent as text
    const prompt = role === 'user' && this.agent && text.trim().replace(/^"|"$/g, '') === PROMPT;
    const l = this.on(role, prompt || this.own(text) || (role === 'system' && this.agent && !(this.held && this.held.has(text.trim()))));
    l.text = join(l.text, text);
  }
  thinking(role, text) { const l = this.on(role); l.thinking = l.thinking === undefined ? text : l.thinking + '\n' + text; }
  call(id, name, args) { this.on('assistant').calls.push({ id, name, arguments: args === '' ? {} : typeof args === 'string' ? parse(args) : args ?? {} }); }
  result(id, text, error) {                              // no "error": the API has no member for it
    const r = { id, text };
    if (error !== undefined) r.error = error;
    this.on('tool', this.own(text)).results.push(r);
  }
  done() { return this.out.map((l) => ({ ...l, text: l.text ?? '' })); }
}
const flat = (c) => typeof c === 'string' ? c : c == null ? '' : !Array.isArray(c) ? JSON.stringify(c)
  : c.map((p) => typeof p === 'string' ? p : p.text ?? `[${kind(p.type)}]`).join('\n');
const kind = (t) => /image/.test(t) ? 'image' : /document|file/.test(t) ? 'document' : t;

const READ = {
  anthropic(b, w) {
    for (const p of typeof b.system === 'string' ? [{ text: b.system }] : b.system || []) w.text('system', p.text);
    for (const m of b.messages) {
      w.next();
      for (const p of typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content || []) {
        if (p.type === 'text') w.text(m.role, p.text);
        else if (p.type === 'tool_use') w.call(p.id, p.name, p.input);
        else if (p.type === 'tool_result') w.result(p.tool_use_id, flat(p.content), p.is_error === true);
        else if (p.type === 'thinking') w.thinking(m.role, p.thinking);
        else if (p.type === 'redacted_thinking') w.thinking(m.role, '[redacted]');
        else w.text(m.role, `[${kind(p.type)}]`);
      }
    }
  },
  openai(b, w) {
    for (const m of b.messages) {
      w.next();
      const role = m.role === 'developer' ? 'system' : m.role, think = m.reasoning_content ?? m.reasoning;
      if (role === 'tool') { w.result(m.tool_call_id, flat(m.content), undefined); continue; }
      if (typeof think === 'string' && think) w.thinking(role, think);
      for (const p of typeof m.content === 'string' ? [{ text: m.content }] : m.content || []) w.text(role, p.text ?? p.refusal ?? `[${kind(p.type)}]`);
      for (const c of m.tool_calls || []) w.call(c.id, (c.function || c.custom).name, c.function ? c.function.arguments : { input: c.custom.input });
    }
  },
  responses(b, w) {
    w.text('system', b.instructions);
    for (const i of typeof b.input === 'string' ? [{ role: 'user', content: b.input }] : b.input) {
      if (i.role) {
        w.next();
        const role = i.role === 'developer' ? 'system' : i.role;
        for (const p of typeof i.content === 'string' ? [{ text: i.content }] : i.content || []) w.text(role, p.text ?? p.refusal ?? `[${kind(p.type)}]`);
      } else if (i.type === 'function_call') w.call(i.call_id, i.name, i.arguments);
      else if (i.type === 'custom_tool_call') w.call(i.call_id, i.name, { input: i.input });
      else if (i.type === 'local_shell_call') w.call(i.call_id, 'local_shell', i.action);
      else if (/_call_output$/.test(i.type)) w.result(i.call_id, flat(i.output), undefined);
      else if (i.type === 'reasoning') w.thinking('assistant', [...i.summary || [], ...i.content || []].map((p) => p.text).join('\n') || '[encrypted]');
      else w.text('assistant', `[${i.type}]`);
    }
  },
  gemini(b, w) {
    const open = {};
    let k = 0;
    for (const p of (b.systemInstruction || b.system_instruction || {}).parts || []) w.text('system', p.text);
    for (const c of b.contents) {
      w.next();
      const role = c.role === 'model' ? 'assistant' : 'user';
      for (const p of c.parts || []) {
        const f = p.functionCall || p.function_call, r = p.functionResponse || p.function_response;
        if (p.thought) w.thinking(role, p.text || '');
        else if (p.text !== undefined) w.text(role, p.text);
        else if (f) { const id = f.id ?? `${f.name}#${++k}`; (open[f.name] ??= []).push(id); w.call(id, f.name, f.args); }
        else if (r) {
          const q = open[r.name] || [], id = r.id ?? q[0] ?? r.name, o = r.response || {}, keys = Object.keys(o);
          if (q.includes(id)) q.splice(q.indexOf(id), 1);
          const v = keys.length === 1 && /^(output|error|result|content)$/.test(keys[0]) ? o[keys[0]] : o;
          w.result(id, [...flat(v) ? [flat(v)] : [], ...(r.parts || []).map(() => '[image]')].join('\n'), 'error' in o);
        } else w.text(role, p.inlineData || p.fileData ? '[image]' : '[' + Object.keys(p)[0] + ']');
      }
    }
  },
  ctx(list, w) {
    for (const m of list) {
      if (m.type === 'context' && m.role === undefined) { w.text('system', m.system_prompt); continue; }
      if (m.role === undefined) continue;
      w.next();
      if (m.role === 'tool') { w.result(m.tool_call_id, flat(m.content), (m.metadata || {}).is_error === true); continue; }
      const role = m.role === 'developer' ? 'system' : m.role;
      for (const p of typeof m.content === 'string' ? [{ text: m.content }] : m.content || []) {
        if (/thinking|reasoning/.test(p.type)) w.thinking(role, p.thinking ?? p.text ?? '[redacted]');
        else w.text(role, typeof p === 'string' ? p : p.text ?? p.refusal ?? `[${kind(p.type)}]`);
      }
      for (const c of m.tool_calls || []) w.call(c.id, c.function.name, c.function.arguments);
    }
  },
};
// neutral(WHAT, TEXT, FILE): WHAT is an agent, an API or ctx
export function neutral(what, text, file) {
  const agent = API[what] ? what : null, api = API[what] || what;
  if (!READ[api]) throw new Error(`${what}: no such agent or API`);
  const w = new Writer(agent, file ? strings(file) : null);
  READ[api](api === 'ctx' ? lines(text) : JSON.parse(text), w);
  return w.done();
}
