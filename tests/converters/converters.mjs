// converters.mjs FILE...: what ctx-normalize writes, read by libraries that share no code with it; prints TAP for what is
// not as it should be, and the sums.
//
//     ai-sdk      modelMessageSchema of the AI SDK accepts each message of --to ai-sdk, which says the texts, calls and
//                 results of the canonical messages
//     openai      LangChain makes of each message of --to openai one with the same role, text, calls and answered call
//     uimessages  what convertToModelMessages makes of UIMessages is what --from ai-sdk reads of them

import { spawnSync } from 'node:child_process';
import { modelMessageSchema, convertToModelMessages } from 'ai';
import { coerceMessageLikeToMessage } from '@langchain/core/messages';

let passed = 0, failed = 0;
const run = (args, input) => {
	const { status, stdout } = spawnSync('ctx-normalize', args, { input, maxBuffer: 1 << 28 });
	return status === 0 || status === 65 ? stdout.toString().replaceAll('\uFEFF', '').split('\n').filter(Boolean).map(line => { try { return JSON.parse(line); } catch { return undefined; } }).filter(each => each !== undefined) : [];
};
const check = (name, what, holds, more = '') => {
	if (holds) return passed++, true;
	failed++;
	console.log(`not ok - ${name}: ${what}\n# ${JSON.stringify(more)?.slice(0, 500)}`);
	return false;
};
const same = (name, what, a, b) => {
	const at = a.findIndex((each, i) => JSON.stringify(each) !== JSON.stringify(b[i]));
	return check(name, what, at < 0 && a.length === b.length, at < 0 ? [a.length, b.length] : [a[at], b[at]]);
};
const parse = text => { try { const value = JSON.parse(text); return value !== null && typeof value === 'object' ? value : text; } catch { return text; } };
const textOf = content => typeof content === 'string' ? content : Array.isArray(content) ? content.map(part => typeof part === 'string' ? part : part?.type === 'text' ? part.text : '').join('') : '';
// Members of objects in one order.
const sorted = value => Array.isArray(value) ? value.map(sorted) : value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([name, each]) => [name, sorted(each)])) : value;
// Arguments that are no object are wrapped where an API takes objects alone.
const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value);
const called = (id, name, given) => [id, name, sorted(isObject(given) ? given : { arguments: given })];

// What messages say: of the chat API, and of the AI SDK, whose results may be several in one message.
const ofChat = messages => messages.filter(each => typeof each.role === 'string' && !each.type).map(({ role, content, refusal, tool_calls: calls = [], tool_call_id: id }) =>
	({ role: role === 'developer' ? 'system' : role, text: textOf(content) + (refusal ?? ''), calls: (calls ?? []).map(each => called(each.id, each.function.name, parse(each.function.arguments))), ...id !== undefined && { id } }));
const outputOf = output => output.type === 'content' ? output.value.map(part => part.type === 'text' ? part.text : '').join('') : typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
const ofModel = messages => messages.flatMap(({ role, content }) => role === 'tool' ?
	content.map(part => ({ role, text: outputOf(part.output), calls: [], id: part.toolCallId })) :
	[{ role, text: textOf(content), calls: Array.isArray(content) ? content.filter(part => part.type === 'tool-call').map(part => called(part.toolCallId, part.toolName, part.input)) : [] }]);

for (const file of process.argv.slice(2)) {
	const name = file.replace(/.*\/(transcripts|fixtures)\//, ''), canonical = run([file]);
	const openai = run(['--to', 'openai', file]), model = run(['--to', 'ai-sdk', file]);
	const written = openai.flatMap(each => Array.isArray(each) ? each : [each]);
	if (!canonical.some(each => typeof each.role === 'string')) continue;

	for (const message of model) {
		const { success, error } = modelMessageSchema.safeParse(message);
		if (!check(name, 'the AI SDK refuses a message', success, error?.issues)) break;
	}
	// Both are made of the same messages, by two writers. The one gives calls with the same id ids of their own.
	const bare = ({ role, text, calls }) => ({ role, text: text.replace(/\s/g, ''), calls: calls.map(call => call.slice(1)) });
	same(name, 'ai-sdk says something else than openai', ofChat(written).map(bare), ofModel(model).map(bare));

	// LangChain takes no arguments that are not JSON.
	const readable = written.filter(({ tool_calls: calls }) => (calls ?? []).every(call => isObject(parse(call.function.arguments))));
	const types = { human: 'user', ai: 'assistant', system: 'system', tool: 'tool' };
	same(name, 'LangChain reads something else', ofChat(readable), readable.map(message => {
		const read = coerceMessageLikeToMessage(message), type = read.getType();
		const calls = [...read.tool_calls ?? [], ...(read.invalid_tool_calls ?? [])].map(each => called(each.id, each.name, parse(typeof each.args === 'string' ? each.args : JSON.stringify(each.args))));
		return { role: types[type] ?? type, text: textOf(read.content) + (message.refusal ?? ''), calls, ...read.tool_call_id !== undefined && { id: read.tool_call_id } };
	}));
}

// UIMessages as a chat keeps them: steps, calls that have ended well, in an error, and not yet.
const ui = [
	{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Which lamp is lit?' }] },
	{ id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'I look.', state: 'done' },
		{ type: 'tool-look', toolCallId: 'c1', state: 'output-available', input: { pier: 'north' }, output: { lit: true, since: 4 } },
		{ type: 'tool-look', toolCallId: 'c2', state: 'output-error', input: { pier: 'south' }, errorText: 'no such pier' },
		{ type: 'step-start' }, { type: 'text', text: 'The northern one.', state: 'done' }] },
	{ id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And ' }, { type: 'text', text: 'the east?' }] },
	{ id: 'a2', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'dynamic-tool', toolName: 'look', toolCallId: 'c3', state: 'output-available', input: { pier: 'east' }, output: 'dark' },
		{ type: 'step-start' }, { type: 'text', text: 'Dark.' }] },
];
const theirs = ofModel(await convertToModelMessages(ui)), ours = ofChat(run([], ui.map(each => JSON.stringify(each) + '\n').join('')));
same('uimessages', 'ctx reads something else than the AI SDK', theirs, ours);

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
