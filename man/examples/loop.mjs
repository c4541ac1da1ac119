#!/usr/bin/env node
// loop.mjs LOG: loop.sh in JavaScript for Node; see ctx-loop(7).

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

const { env } = process, { OPENAI_MODEL: model, OPENAI_API_KEY: key } = env;
const base = env.OPENAI_BASE_URL || 'https://api.openai.com/v1';
const profile = env.LOOP_PROFILE || 'pragmatic';
const limit = env.LOOP_LIMIT || '100k', check = env.LOOP_CHECK || 'make check';

const prompt = 'You help with the files of one directory.';
const define = (name, description, ...required) => ({
	type: 'function', function: { name, description, parameters: {
		type: 'object', required,
		properties: Object.fromEntries(
			required.map(argument => [argument, { type: 'string' }])),
	} },
});
const tools = [
	define('read', 'Reads a file of the directory.', 'path'),
	define('check', 'Runs the checks of the directory.'),
	define('agent', 'Gives a task to another agent.', 'task'),
];

// Why there is no answer; retry says that another try may help, wait after
// how many seconds.
class Failed extends Error {
	constructor(what, retry = false, wait = undefined) {
		super(what);
		Object.assign(this, { retry, wait });
	}
}

// Who looked may have left.
process.stdout.on('error', () => {});
const say = what => process.stderr.write(`loop.mjs: ${what}\n`);

// Runs a command to its end: its status, and what it prints.
function run(words, input = '', stderr = 'inherit') {
	const child = spawn(words[0], words.slice(1),
		{ stdio: ['pipe', 'pipe', stderr] });
	const parts = [];
	for (const output of [child.stdout, child.stderr])
		output?.on('data', part => parts.push(part));
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', status =>
			resolve({ status, output: Buffer.concat(parts) }));
	});
}

// The output of a command of ctx; 65 says that the log has bad lines.
async function command(words, input) {
	const { status, output } = await run(words, input);
	if (status !== 0 && status !== 65)
		throw new Error(`${words[0]} ended with ${status}`);
	return output;
}

// The lines of standard input, as they come.
const lines = [];
let ended = false, wake = () => {};
createInterface({ input: process.stdin, crlfDelay: Infinity })
	.on('line', line => { lines.push(line); wake(); })
	.on('close', () => { ended = true; wake(); });

async function nextLine() {
	while (!lines.length && !ended)
		await new Promise(resolve => { wake = resolve; });
	return lines.shift();
}

async function* events(body) {
	let text = '';
	for await (const part of body.pipeThrough(new TextDecoderStream())) {
		const parted = (text + part).split('\n');
		text = parted.pop();
		for (const line of parted)
			if (line.startsWith('data:') && line.trim() !== 'data: [DONE]')
				yield JSON.parse(line.slice(5));
	}
}

// The events of a stream as a message, which is whole at its end.
async function assemble(body, show) {
	let content = null, finish, metadata;
	const calls = [];
	try {
		for await (const { choices: [choice] = [], usage } of events(body)) {
			metadata = usage ? { usage } : metadata;
			const delta = choice?.delta ?? {};
			finish = choice?.finish_reason ?? finish;
			if (typeof delta.content === 'string') {
				content = (content ?? '') + delta.content;
				show(delta.content);
			}
			for (const part of delta.tool_calls ?? []) {
				const call = calls[part.index ?? 0] ??= { id: part.id,
					type: 'function', function: { name: '', arguments: '' } };
				call.function.name += part.function?.name ?? '';
				call.function.arguments += part.function?.arguments ?? '';
			}
		}
	} finally {
		if (content)
			show('\n');
	}
	if (!finish || !(content || calls.length))
		throw new Failed('the answer breaks off', true);
	const message = { role: 'assistant', content, metadata };
	return calls.length ? { ...message, tool_calls: calls } : message;
}

// What a tool that fails returns, behind what it has printed.
const failure = (text, output = '') => ({ failed: true,
	result: Buffer.concat([output, `error: ${text}\n`].map(it => Buffer.from(it))) });

class Agent {
	constructor(log, out, parent) {
		Object.assign(this, { log, out, parent, id: randomUUID() });
	}

	// Puts a message into the log, and into that of the parent.
	async append(message) {
		const words = ['ctx-route', '--repair', '--append', this.log,
			'--execution', this.execution];
		if (this.parent)
			words.push('--set', `agent_id=${this.id}`, '--set',
				`parent_execution_id=${this.parent.execution}`);
		const routed = await command(words, JSON.stringify(message) + '\n');
		if (this.parent)
			await command(['ctx-route', '--repair', '--append',
				this.parent.log], routed);
	}

	// What the model is going to read.
	async request() {
		const { status } = await run(
			['ctx-budget', '--limit', limit, '--check', this.log], '', 'ignore');
		if (status)
			process.stderr.write((await run(['ctx-compact', '-i', '--limit',
				limit, '--archive', `${this.log}.archive`, this.log])).output);
		const members = { model, stream: true,
			stream_options: { include_usage: true },
			tools: this.parent ? tools.slice(0, 2) : tools };
		return command(['ctx-normalize', '--to', 'openai',
			`--request=${JSON.stringify(members)}`],
		await command(['ctx-compile', '--profile', profile, this.log]));
	}

	show = text =>
		this.out.write(text.replace(/[^\P{Cc}\n\t]/gu, '?'));

	// Sends the request, and shows the answer while it comes.
	async ask(body) {
		const headers = { 'Content-Type': 'application/json' };
		if (key)
			headers.Authorization = `Bearer ${key}`;
		let response;
		try {
			response = await fetch(
				`${base.replace(/\/$/, '')}/chat/completions`,
				{ method: 'POST', headers, body,
					signal: AbortSignal.timeout(600_000) });
			if (response.ok)
				return await assemble(response.body, this.show);
		} catch (error) {
			throw new Failed(error.cause?.message ?? error.message, true);
		}
		const said = (await response.text().catch(() => '')).slice(0, 400);
		const wait = response.headers.get('retry-after') ?? '';
		throw new Failed(
			`HTTP ${response.status}: ${said.replace(/\p{Cc}+/gu, ' ')}`,
			[408, 429].includes(response.status) || response.status >= 500,
			/^[0-9]{1,2}$/.test(wait) ? Number(wait) : undefined);
	}

	// Asks until there is an answer, or no more hope.
	async answer() {
		const body = await this.request();
		for (const pause of [1, 2, 4, 8, undefined])
			try {
				return await this.ask(body);
			} catch (error) {
				if (!error.retry || pause === undefined)
					throw error;
				say(error.message);
				await setTimeout(1000 * (error.wait ?? pause));
			}
	}

	// Runs a tool: its result, and whether it failed.
	async tool({ name, arguments: text }) {
		let value;
		try {
			const { path, task } = JSON.parse(text || '{}');
			value = [path, task].find(it => typeof it === 'string') ?? '';
		} catch {
			return failure('the arguments are no JSON object');
		}
		if (name === 'read')
			return read(value);
		if (name === 'check') {
			const { status, output } = await run(
				['sh', '-c', `exec 2>&1; ${check}`]);
			if (status === 0)
				return { result: output };
			return failure(`the check ended with ${status}`, output);
		}
		if (name === 'agent')
			return this.parent ? failure('the agent has no answer') :
				this.delegate(value);
		return failure(`there is no tool '${name}'`);
	}

	// What a sub-agent answers, which has a log of its own.
	async delegate(task) {
		const agent = new Agent('', process.stderr, this);
		agent.log = `${this.log.replace(/\.jsonl$/, '')}-${agent.id}.jsonl`;
		try {
			return { result: await agent.run(task) };
		} catch (error) {
			if (!(error instanceof Failed))
				throw error;
			say(error.message);
			return failure('the agent has no answer');
		}
	}

	// Runs calls, and appends their results.
	async runTools(calls) {
		for (const { id, function: call } of calls) {
			const { result, failed } = await this.tool(call);
			const message = { role: 'tool', tool_call_id: id,
				content: Buffer.from(result).subarray(0, 20000).toString() };
			await this.append(failed ?
				{ ...message, metadata: { is_error: true } } : message);
		}
	}

	// Works on a request of the user until the model has no calls.
	async run(text) {
		this.execution = randomUUID();
		if (!statSync(this.log, { throwIfNoEntry: false })?.size)
			await this.append({ role: 'system', content: prompt });
		await this.append({ role: 'user', content: text });
		for (let step = 0; step < 100; step++) {
			const message = await this.answer();
			await this.append(message);
			if (!message.tool_calls)
				return message.content;
			await this.runTools(message.tool_calls);
			while (!this.parent && lines.length) {
				const content = lines.shift();
				if (content)
					await this.append({ role: 'user', content });
			}
		}
		throw new Failed('100 steps, and no end');
	}
}

// A file of the directory, up to 20,000 bytes of it.
function read(path) {
	try {
		const file = realpathSync(path), content = Buffer.alloc(20000);
		if (file.startsWith(`${process.cwd()}/`) && statSync(file).isFile()) {
			const opened = openSync(file);
			const length = readSync(opened, content);
			closeSync(opened);
			return { result: content.subarray(0, length) };
		}
	} catch {
		// It is not there, or may not be read.
	}
	return failure(`there is no file '${path}' here`);
}

if (process.argv.length !== 3 || !model) {
	process.stderr.write('usage: OPENAI_MODEL=NAME loop.mjs LOG\n');
	process.exit(1);
}
const agent = new Agent(process.argv[2], process.stdout);
for (let line; (line = await nextLine()) !== undefined;)
	try {
		if (line)
			await agent.run(line);
	} catch (error) {
		say(error.message);
		if (!(error instanceof Failed))
			process.exit(1);
		process.exitCode = 1;
	}
