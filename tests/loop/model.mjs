// A server that plays the model of an agent's loop by the chat completions of OpenAI's API and by
// Anthropic's messages, and refuses what these refuse:
//     node model.mjs DIR
// The first part of a request's path is a folder of DIR, as the base URL http://HOST:PORT/RUN/v1, or
// http://HOST:PORT/RUN for Anthropic. There
// script.jsonl has the replies to its requests, in their order, one a line:
//     {"text":"It is deep."}                          an answer
//     {"calls":[{"id":"c1","name":"read","arguments":{"path":"a"}}]}  calls, with or without a text;
//                                                     arguments that are a string go as they stand
//     {"status":429,"retry":"1","error":"slow down"}  a refusal
//     {"status":500}
//     {"text":"It is","breaks":"torn"}                a stream that is torn in its midst
//     {"text":"It is","breaks":"ends"}                one that ends well, and before the answer is whole
//     {"text":"It is","breaks":"says"}                Anthropic: one that ends with an error
//     {"never":true}                                  nothing
// A body that breaks a rule (rules.bash) is answered by 400, and its faults are appended to RUN/faults;
// so is a request too many. Bodies are kept as RUN/request-1.json, request-2.json and so on.
//
// An answer is a stream of events in which deltas are short, calls are mixed, and lines end in either
// way; it is sent in pieces of a few bytes, so that lines and characters are parted wherever that hurts.

import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serve } from '../serve.mjs';

const directory = process.argv[2];
const replies = new Map();

function faults(api, file) {
	return execFileSync('bash', [fileURLToPath(new URL('rules.bash', import.meta.url)), api, file], { encoding: 'utf8' });
}

// The pieces of a text, of so many code points.
function* pieces(text, length) {
	const points = [...text];
	for (let at = 0; at < points.length; at += length)
		yield points.slice(at, at + length).join('');
}

function* deltas({ text, calls = [] }) {
	yield { role: 'assistant', content: text === undefined ? null : '' };
	for (const content of pieces(text ?? '', 3))
		yield { content };
	for (const [index, { id, name }] of calls.entries())
		yield { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
	const parts = calls.map(call => [...pieces(typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments), 4)]);
	for (let n = 0; parts.some(part => n < part.length); n++)
		for (const [index, part] of parts.entries())
			if (n < part.length)
				yield { tool_calls: [{ index, function: { arguments: part[n] } }] };
}

// The same as the events of Anthropic's API: a block has the index of its place, and an input of
// nothing comes as one empty delta.
function* blocks({ text, calls = [] }) {
	const content = [...text === undefined ? [] : [{ type: 'text', text: '' }],
		...calls.map(({ id, name }) => ({ type: 'tool_use', id, name, input: {} }))];
	for (const [index, block] of content.entries()) {
		const call = calls[index - (content.length - calls.length)];
		const json = typeof call?.arguments === 'string' ? call.arguments : JSON.stringify(call?.arguments);
		yield { type: 'content_block_start', index, content_block: block };
		if (call === undefined)
			for (const part of pieces(text, 3))
				yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text: part } };
		else
			for (const part of json === '{}' ? [''] : pieces(json, 4))
				yield { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: part } };
		yield { type: 'content_block_stop', index };
	}
}

function* anthropicEvents(reply) {
	const event = value => `event: ${value.type}\ndata: ${JSON.stringify(value)}`;
	yield event({ type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [],
		stop_reason: null, usage: { input_tokens: 70, cache_read_input_tokens: 30, output_tokens: 1 } } });
	yield event({ type: 'ping' });
	for (const block of blocks(reply))
		yield event(block);
	if (reply.breaks === 'says')
		yield event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
	if (reply.breaks)
		return;
	yield event({ type: 'message_delta', delta: { stop_reason: reply.calls ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 9 } });
	yield event({ type: 'message_stop' });
}

// With stream_options.include_usage the usage is in one event, without choices, behind all others.
function* events(reply) {
	const event = (choices, usage = null) => `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm', choices, usage })}`;
	yield ': a comment';
	for (const delta of deltas(reply))
		yield event([{ index: 0, delta, finish_reason: null }]);
	if (reply.breaks)
		return;
	yield event([{ index: 0, delta: {}, finish_reason: reply.calls ? 'tool_calls' : 'stop' }]);
	yield event([], { prompt_tokens: 100, completion_tokens: 9, total_tokens: 109 });
	yield 'data: [DONE]';
}

async function stream(all, reply, response) {
	const text = [...all].map((event, n) => event + (n % 3 ? '\n\n' : '\r\n\r\n')).join('');
	const bytes = Buffer.from(text);
	const end = reply.breaks === 'torn' ? bytes.length - 20 : bytes.length;
	response.writeHead(200, { 'Content-Type': 'text/event-stream' });
	response.socket.setNoDelay(true);
	for (let at = 0, length = 1; at < end; at += length, length = length % 23 + 1) {
		response.write(bytes.subarray(at, Math.min(at + length, end)));
		await setImmediate();
	}
	if (reply.breaks === 'torn')
		response.destroy();
	else
		response.end();
}

function refuse(response, status, error, headers = {}) {
	const body = error === undefined ? '' : JSON.stringify({ error: { message: error } });
	response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
	response.end(body);
}

const apis = { 'v1/chat/completions': 'openai', 'v1/messages': 'anthropic' };

serve(directory, ({ method, url, headers, body }, response) => {
	const [, run, ...rest] = url.split('/');
	const api = apis[rest.join('/')];
	if (method !== 'POST' || api === undefined)
		return refuse(response, 404, `${method} ${url} is not there`);
	const folder = join(directory, run);
	const script = readFileSync(join(folder, 'script.jsonl'), 'utf8').trim().split('\n');
	const count = (replies.get(run) ?? 0) + 1;
	replies.set(run, count);
	const file = join(folder, `request-${count}.json`);
	writeFileSync(file, body);
	const wrong = count > script.length ? 'one request too many\n' :
		api === 'anthropic' && headers['anthropic-version'] === undefined ? 'no anthropic-version\n' : faults(api, file);
	if (wrong) {
		appendFileSync(join(folder, 'faults'), wrong);
		return refuse(response, 400, wrong);
	}
	const reply = JSON.parse(script[count - 1]);
	if (reply.never)
		return undefined;
	if (reply.status)
		return refuse(response, reply.status, reply.error, reply.retry ? { 'Retry-After': reply.retry } : {});
	return stream(api === 'openai' ? events(reply) : anthropicEvents(reply), reply, response);
});
