// Sessions of several agents as messages: what ctx-normalize reads, and the sessions of some agents
// that are read here.

import { readFileSync } from 'node:fs';

const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const lines = text => text.split('\n').map(parse).filter(value => value !== undefined && value !== null);
const textOf = content => typeof content === 'string' ? content :
	(content ?? []).map(part => part.text ?? '').filter(text => text !== '').join('\n');
const call = (id, name, args) => ({ id, type: 'function', function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } });
const injected = text => /^<(environment_context|user_instructions)|^# AGENTS\.md/.test(text);
const user = text => ({ role: 'user', content: text, ...(injected(text) ? { metadata: { origin: 'injected' } } : {}) });
const result = (id, text, failed) => ({ role: 'tool', tool_call_id: id, content: text, ...(failed ? { metadata: { is_error: true } } : {}) });

const pi = text => lines(text).filter(line => line.type === 'message').map(({ message }) => {
	if (message.role === 'user') return user(textOf(message.content));
	if (message.role === 'toolResult') return result(message.toolCallId, textOf(message.content), message.isError);
	const calls = message.content.filter(part => part.type === 'toolCall').map(part => call(part.id, part.name, part.arguments));
	return { role: 'assistant', content: textOf(message.content) || null, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}).filter(message => message.content || message.tool_calls);

const codexFailed = output => (parse(output)?.metadata?.exit_code ?? 0) !== 0;
const codex = text => lines(text).map(line => line.payload ?? {}).flatMap(item => {
	if (item.type === 'message' && item.role === 'user') return [user(textOf(item.content))];
	if (item.type === 'message') return [{ role: item.role, content: textOf(item.content) }];
	if (item.type === 'function_call') return [{ role: 'assistant', content: null, tool_calls: [call(item.call_id, item.name, item.arguments)] }];
	if (item.type === 'custom_tool_call') return [{ role: 'assistant', content: null, tool_calls: [call(item.call_id, item.name, { input: item.input })] }];
	if (/^(function|custom_tool)_call_output$/.test(item.type)) return [result(item.call_id, item.output, codexFailed(item.output))];
	return [];
});

// The history of a trajectory of SWE-agent.
const swe = text => (parse(text)?.history ?? []).map(item => {
	const calls = item.tool_calls?.map(({ id, function: f }) => call(id, f.name, f.arguments));
	if (item.role === 'tool') return result(item.tool_call_ids?.[0], textOf(item.content), false);
	return { role: item.role, content: textOf(item.content), ...(calls?.length > 0 ? { tool_calls: calls } : {}) };
});

const readers = [[/\/pi\/.*\.jsonl$/, pi], [/\/codex-cli\/.*\.jsonl$/, codex], [/\.traj$/, swe]];

// The records of the session; an empty list where nothing was understood.
export const readSession = (path, run) => {
	const reader = readers.find(([pattern]) => pattern.test(path));
	return reader ? reader[1](readFileSync(path, 'utf8')) :
		lines(run('ctx-normalize', [path]).stdout).filter(record => typeof record.role === 'string' || record.type === 'context');
};
