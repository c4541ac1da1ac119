// Streams of ctx messages, read without any code of ctx: lines as text of bytes (latin1), and what
// ctx-message(5) derives of them. Where the page leaves a choice to a table of tools, the derivation
// here takes the side that claims less: what it calls open, failed or kept surely is.

import { readFileSync } from 'node:fs';

// What no input has: it tells the records of an output from one another.
export const TAG = 'law_n';

const owned = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'metadata', 'type']);

// The member names of the outermost object.
const memberNames = text => {
	const names = [];
	for (let i = 0, depth = 0; i < text.length; i++) {
		if (text[i] === '{' || text[i] === '[') depth++;
		if (text[i] === '}' || text[i] === ']') depth--;
		if (text[i] !== '"') continue;
		const start = i;
		for (i++; text[i] !== '"'; i++) if (text[i] === '\\') i++;
		if (depth === 1 && /^\s*:/.test(text.slice(i + 1, i + 20))) names.push(JSON.parse(text.slice(start, i + 1)));
	}
	return names;
};

const depthOf = text => {
	let depth = 0, most = 0;
	for (const c of text.replace(/"(\\.|[^"\\])*"/g, '')) {
		if (c === '{' || c === '[') most = Math.max(most, ++depth);
		if (c === '}' || c === ']') depth--;
	}
	return most;
};

// The value of a line; undefined when the line is bad.
const valueOf = line => {
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(line, 'latin1'));
		const value = JSON.parse(text);
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
		const names = memberNames(text).filter(name => owned.has(name));
		return new Set(names).size < names.length || depthOf(text) > 1024 ? undefined : value;
	} catch {
		return undefined;
	}
};

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);

// Gives each message a tag: a member of the user's own, which stays.
export const tagged = bytes => {
	let n = 0;
	return bytes.split('\n').map(line => {
		const value = line.startsWith('{') ? valueOf(line) : undefined;
		return isObject(value) && typeof value.role === 'string' ? `{"${TAG}":${++n},${line.slice(1)}` : line;
	}).join('\n');
};

export const bytesOf = path => readFileSync(path, 'latin1');

const metadataOf = value => [value.metadata, value._metadata].find(isObject) ?? {};
const callsOf = value => value.role === 'assistant' && Array.isArray(value.tool_calls) ? value.tool_calls.filter(isObject) : [];

export const textOf = content => typeof content === 'string' ? content :
	Array.isArray(content) ? content.map(part => typeof part === 'string' ? part : part?.text ?? part?.value ?? '').join('\n') : '';

const isBlank = value => textOf(value.content).trim() === '' && !value.refusal &&
	!(Array.isArray(value.content) && value.content.some(part => isObject(part) && !/text|thinking|reasoning/.test(part.type ?? 'text')));

const sorted = value => Array.isArray(value) ? value.map(sorted) : !isObject(value) ? value :
	Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key])]));

const argumentsOf = call => {
	const given = call.function?.arguments ?? call.custom?.input ?? call.arguments ?? call.args ?? call.input;
	if (typeof given !== 'string') return given ?? {};
	try { return JSON.parse(given); } catch { return given; }
};

const originOf = (value, metadata, calls) => {
	const known = ['user', 'assistant', 'tool_call', 'tool_result', 'summary', 'system', 'error', 'injected'];
	if (known.includes(metadata.origin)) return metadata.origin;
	if (metadata.kind === 'summary' || (metadata.kind === undefined && metadata.section === 'summary')) return 'summary';
	if (value.role === 'user') return 'user';
	if (value.role === 'tool') return 'tool_result';
	if (value.role !== 'assistant') return 'system';
	return calls.length > 0 ? 'tool_call' : metadata.is_error === true ? 'error' : 'assistant';
};

const recordOf = (line, place) => {
	const value = valueOf(line);
	const record = { line, place, kind: 'foreign', value };
	if (line.trim() === '') return { ...record, kind: 'blank' };
	if (value === undefined) return { ...record, kind: 'bad' };
	if (!isObject(value)) return record;
	if (value.type === 'context' || value.type === 'budget') return { ...record, kind: typeof value.role === 'string' ? 'message' : value.type };
	if (typeof value.role !== 'string') return record;
	const metadata = metadataOf(value), calls = callsOf(value);
	return { ...record, kind: 'message', role: value.role, metadata, calls, tag: value[TAG],
		origin: originOf(value, metadata, calls),
		isArtifact: metadata.kind === 'summary' || metadata.kind === 'trace' || (metadata.kind === undefined && metadata.section === 'summary') };
};

const agentOf = ({ metadata }) => typeof metadata.parent_execution_id !== 'string' ? '' :
	typeof metadata.agent_id === 'string' ? metadata.agent_id : metadata.parent_execution_id;

// Pairs by an ordered walk: groups are lists of members, the call message first; a call is
// { name, args, key, id, message, result }.
const pair = messages => {
	const open = new Map(), groups = [];
	for (const message of messages) {
		const agent = agentOf(message);
		if (message.role === 'tool') {
			const list = open.get(`${agent}\0${message.value.tool_call_id}`);
			message.call = typeof message.value.tool_call_id === 'string' ? list?.pop() : undefined;
			if (message.call === undefined) continue;
			message.call.result = message;
			message.group = message.call.message.group;
			message.group.members.push(message);
		}
		if (message.calls.length === 0) continue;
		message.group = { members: [message], calls: [] };
		groups.push(message.group);
		message.group.calls = message.calls.map(call => {
			const name = call.function?.name ?? call.custom?.name ?? call.name, args = argumentsOf(call);
			const one = { id: call.id, name, args, key: JSON.stringify([name, sorted(args)]), message, result: undefined };
			const at = `${agent}\0${call.id}`;
			if (typeof call.id === 'string') open.set(at, [...(open.get(at) ?? []), one]);
			return one;
		});
	}
	return groups;
};

// Executions, turns, and whether the last execution is over. due: calls of the newest group that wait.
const derive = thread => {
	let execution = -1, turn = 0, id, newest, due = 0, parted = false, answered = false;
	for (const message of thread) {
		const { metadata, value } = message;
		const isNewest = message.call !== undefined && message.group === newest && !parted;
		const displaced = message.call !== undefined && !isNewest;
		if (isNewest) due--;
		const waiting = newest !== undefined && due === 0 && !parted;
		const before = execution;
		if (message.call === undefined) {
			if (typeof metadata.execution_id === 'string') {
				if (execution < 0 || metadata.execution_id !== id) { id = metadata.execution_id; execution++; }
			} else if (message.origin === 'user') {
				if (!waiting || execution < 0) { id = `#${execution}`; execution++; }
			} else if (execution < 0) {
				execution++;
			}
		}
		if (message.calls.length > 0) { newest = message.group; due = message.calls.length; parted = false; }
		if (message.origin === 'user') turn++;
		message.execution = Math.max(execution, 0);
		message.turn = turn;
		if (displaced) continue;
		if (message.call === undefined && message.calls.length === 0) parted = true;
		if (execution !== before) answered = false;
		const isTrace = metadata.is_trace === true || message.role === 'tool' || message.calls.length > 0;
		const isAnswer = message.role === 'assistant' && !isTrace && !message.isArtifact &&
			!['error', 'user'].includes(message.origin) && !isBlank(value);
		if (isAnswer || isTrace) answered = isAnswer;
	}
	return { last: Math.max(execution, 0), isOver: answered, turns: turn };
};

// What the artifact says: only ours has facts that count what was dropped.
export const isOurs = message => message.kind === 'message' && message.metadata.kind === 'summary' &&
	message.role !== 'tool' && message.calls.length === 0 && message.metadata.compacted === true &&
	typeof message.metadata.facts?.dropped === 'number';

export const readStream = bytes => {
	const lines = bytes.split('\n');
	if (lines.at(-1) === '') lines.pop();
	const records = lines.map(recordOf);
	const messages = records.filter(record => record.kind === 'message');
	const agent = messages.length > 0 ? agentOf(messages[0]) : '';
	const groups = pair(messages);
	const roles = ['system', 'developer', 'user', 'assistant', 'tool'];
	const inThread = message => agentOf(message) === agent && roles.includes(message.role);
	for (const message of messages) message.inThread = inThread(message);
	const thread = messages.filter(message => agentOf(message) === agent);
	return { records, messages, thread: thread.filter(inThread), groups, ...derive(thread) };
};
