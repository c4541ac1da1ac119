// into.mjs SEEDS PART SESSION...: agents' session files, into which a log goes back after a filter made by chance
// (--into), and what --to writes for them. The files are the given ones, each LAWS_TIMES (4) times, and SEEDS made by
// chance for each agent: in the agent's own words (agent-session.awk), and by --to of a small session (generate.mjs).
//
//     written    is JSON where the file was; lines that no message of the filter's touched stay, in their order
//     read       the messages that come out of it are those that went in; those that were not touched, to the last
//                member of their metadata
//     again      a second run of --into changes nothing
//     loaded     the agent reaches all messages of what it reached before (--check --from AGENT), and all of --to's

import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { small, prose } from './generate.mjs';
import { chance, pick, run } from './run.mjs';

const [seeds, part = '1/1', ...files] = process.argv.slice(2);
const [mine, parts] = part.split('/').map(Number);
const agents = ['claude-code', 'codex', 'pi', 'gemini-cli', 'opencode'];
const work = mkdtempSync(`${tmpdir()}/laws-into-`), FILE = `${work}/session`, NEW = `${work}/new`, REPORT = `${work}/report`;
let runs = 0, faults = 0, changes = 0;

const fault = (what, name, ways, more = '') => {
	faults++;
	console.log(`not ok - ${name}: ${ways}: ${what}\n${more.slice(0, 600)}`);
	if (process.env.LAWS_KEEP) {
		const to = `${process.env.LAWS_KEEP}/${faults}-${mine}`;
		for (const [suffix, bytes] of [['session', last.file], ['log', last.log], ['new', last.out]]) writeFileSync(`${to}.${suffix}`, bytes ?? '', 'latin1');
	}
	return false;
};
const last = {};

const read = bytes => bytes.split('\n').filter(line => line.trim() !== '');
const parse = line => { try { return JSON.parse(Buffer.from(line, 'latin1').toString('utf8')); } catch { return undefined; } };
const isMessage = value => typeof value?.role === 'string';
const write = values => values.map(value => Buffer.from(JSON.stringify(value), 'utf8').toString('latin1') + '\n').join('');

// What messages say, however they are spelled: neighbours of one role together, calls by their order.
const textsOf = (content, thinks) => (typeof content === 'string' ? [content] : Array.isArray(content) ? content.filter(each => thinks || each?.thinking === undefined && each?.type !== 'reasoning').map(each =>
	typeof each === 'string' ? each : each.text ?? each.thinking ?? each.reasoning ?? `[${each.type}]`) : [])
	.filter(text => /\S/.test(text));
const given = text => { try { return JSON.stringify(JSON.parse(text)); } catch { return text || '{}'; } };
// A sub-agent that its file does not name has the uuid of its first record, and so another one where that is
// another record: such agents are told by their order.
const neutral = (values, thinks = true) => {
	const out = [], ids = new Map(), unnamed = [];
	let calls = 0;
	const agentOf = id => {
		if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
		if (!unnamed.includes(id)) unnamed.push(id);
		return `unnamed ${unnamed.indexOf(id)}`;
	};
	for (const message of values.filter(isMessage)) {
		const of = agentOf(message.metadata?.agent_id ?? '');
		let role = message.role === 'developer' ? 'system' : message.role;
		const says = [...thinks && typeof message.reasoning_content === 'string' ? [message.reasoning_content] : [], ...textsOf(message.content, thinks)];
		if (role === 'tool') {
			const waiting = ids.get(of + message.tool_call_id), call = waiting?.length > 1 ? waiting.shift() : waiting?.[0];
			if (call !== undefined && says[0] !== '[no result]') out.push({ of, result: call, says: says.join('\n') });
			if (call !== undefined) continue;
			role = 'user';
			says.unshift('[tool result that answers no call]');
		}
		const newest = new Set(), own = (message.tool_calls ?? []).map(({ id, function: call }) => {
			if (!newest.has(of + id)) ids.set(of + id, []);
			newest.add(of + id);
			ids.get(of + id).push(++calls);
			return [calls, call.name, given(call.arguments)];
		});
		if (says.length + own.length === 0) continue;
		const before = out.at(-1);
		if (before?.role === role && before.of === of) before.says.push(...says), before.calls.push(...own);
		else out.push({ of, role, says, calls: own });
	}
	return out.map(each => JSON.stringify(Array.isArray(each.says) ? { ...each, says: each.says.join('\n').replaceAll('answers no call]\n', 'answers no call] ') } : each));
};

// Groups of messages that belong together: a call with its results and what stands between.
const units = messages => {
	const list = [], open = new Map();
	messages.forEach(message => {
		const at = message.role === 'tool' ? open.get(message.tool_call_id) : undefined;
		const waits = open.size > 0 && list.length > 0;
		if (at !== undefined || waits) list.at(-1).push(message);
		else list.push([message]);
		(message.tool_calls ?? []).forEach(({ id }) => open.set(id, true));
		if (message.role === 'tool') open.delete(message.tool_call_id);
	});
	return list;
};

let fresh = 0;
const words = random => `${prose(random, pick(random, [5, 40, 300]))} ${++fresh}`;
const isSystem = unit => unit[0].role === 'system' || unit[0].role === 'developer';
const replaceText = (random, message) => {
	const text = words(random);
	if (Array.isArray(message.content)) {
		const at = message.content.find(each => typeof each?.text === 'string' || typeof each?.thinking === 'string');
		if (at) at[typeof at.text === 'string' ? 'text' : 'thinking'] = text;
		else message.content = text;
	} else message.content = text;
};
const changed = Symbol('changed');
const touch = message => { message[changed] = true; changes++; };

// The ways of a filter, each with what it does to the list of groups.
const ways = {
	drop: (random, list) => {
		const gone = random() < 0.5 ? 0.15 : 0.6;
		return list.filter(unit => isSystem(unit) || random() > gone || !++changes);
	},
	cut: (random, list) => list.forEach(unit => unit.forEach(message => {
		if (message.role === 'tool' && message.metadata?.source !== undefined && random() < 0.5) replaceText(random, message), touch(message);
	})),
	edit: (random, list) => list.forEach(unit => unit.forEach(message => {
		if (random() < 0.3 && !isSystem(unit) && message.metadata?.source !== undefined && !(message.content === null && message.tool_calls)) replaceText(random, message), touch(message);
	})),
	input: (random, list) => list.forEach(unit => unit.forEach(message => (message.tool_calls ?? []).forEach(call => {
		if (random() < 0.5) return;
		let value;
		try { value = JSON.parse(call.function.arguments); } catch { return; }
		const name = Object.keys(value ?? {}).find(key => typeof value[key] === 'string');
		if (name === undefined) return;
		value[name] = words(random);
		call.function.arguments = JSON.stringify(value);
		touch(message);
	}))),
	insert: (random, list) => {
		const out = [];
		for (let i = 0; i <= list.length; i++) {
			if (random() < 0.25 && !(list[i] && isSystem(list[i]))) {
				changes++;
				const id = `new${++fresh}`, of = pick(random, list.filter(unit => !isSystem(unit)))?.[0].metadata?.agent_id;
				const rest = of !== undefined ? { metadata: { agent_id: of } } : {};
				out.push(random() < 0.3 ? [{ role: 'assistant', content: words(random), tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{"a":1}' } }], ...rest },
					{ role: 'tool', tool_call_id: id, content: words(random), ...rest }] :
					[{ role: random() < 0.5 ? 'user' : 'assistant', content: words(random), ...rest }]);
			}
			if (list[i]) out.push(list[i]);
		}
		return out;
	},
	move: (random, list) => {
		const out = list.slice(), from = Math.floor(random() * out.length);
		if (out.length < 2 || isSystem(out[from])) return out;
		const [unit] = out.splice(from, 1);
		let to = Math.floor(random() * (out.length + 1));
		while (to < out.length && isSystem(out[to])) to++;
		out.splice(to, 0, unit);
		unit.forEach(touch);
		return out;
	},
	think: (random, list) => list.forEach(unit => unit.forEach(message => {
		const before = JSON.stringify(message);
		if (Array.isArray(message.content) && message.content.some(each => each?.type === 'text'))
			message.content = message.content.filter(each => each?.type !== 'thinking');
		if (JSON.stringify(message) !== before) touch(message);
	})),
};

const filtered = (random, messages, isPlain) => {
	const names = Object.keys(ways).filter(name => random() < 0.4 && (!isPlain || !/insert|move/.test(name)));
	if (names.length === 0) names.push(pick(random, ['drop', 'edit', 'cut']));
	let list = units(messages);
	for (const name of names) list = ways[name](random, list) ?? list;
	return { names: names.join(' '), list: list.flat() };
};

// What a message is without what a new place of it, or the newest form of a record, may change, and without a copy of
// its result.
const bare = ({ metadata: { source, ...metadata } = {}, ...message }) => JSON.stringify({ ...message, metadata }, (name, each) => name === 'x_codex' || name === 'resultDisplay' ? undefined : each);

// The lines as records, without what follows from their place.
const chainless = line => {
	const value = parse(line);
	if (typeof value !== 'object' || value === null) return line;
	for (const name of ['parentUuid', 'parentId', 'logicalParentUuid', 'leafUuid', 'ordinal', 'firstKeptEntryId']) delete value[name];
	return JSON.stringify(value, (name, each) => name === 'parentID' || name === 'compactMetadata' || name === 'tail_start_id' ? undefined : each);
};

// How many messages the agent does not reach.
const missed = (agent, path) => {
	const { out, said } = run('ctx-normalize', ['--check', '--from', agent, '--report', REPORT, path]);
	const loaded = JSON.parse(readFileSync(REPORT, 'utf8')).loaded ?? [];
	return { missed: loaded.reduce((sum, { messages, reached }) => sum + messages - reached, 0), reached: loaded.reduce((sum, { reached }) => sum + reached, 0), said: said + out };
};

const holds = (agent, name, file, random) => {
	// Where messages share an id across others, what is read depends on what stands between.
	const isOdd = name.startsWith('own') && agent === 'claude-code';
	last.file = file; last.log = last.out = '';
	writeFileSync(FILE, file, 'latin1');
	const log = run('ctx-normalize', ['--from', agent, FILE]);
	if (log.status !== 0 && log.status !== 65) return fault(`status ${log.status}`, name, 'read', log.said);
	const values = read(log.out).map(parse), messages = values.filter(isMessage), source = values.filter(value => value?.type === 'source');
	// Canonical messages among an agent's records are no messages of the file.
	if (source.length !== 1 || messages.length === 0 || messages.some(({ role, metadata }) => role !== 'tool' && metadata?.source === undefined)) return true;
	const { names, list } = filtered(random, structuredClone(messages), /thread_rolled_back/.test(file));
	last.log = write([...list, ...source]);
	if (!list.some(each => each.metadata?.source !== undefined)) return true;
	const into = run('ctx-normalize', ['--into', FILE], last.log);
	runs++;
	last.out = into.out;
	if (into.status === 64 && /have no place/.test(into.said)) return true;
	if (into.status !== 0 && into.status !== log.status) return fault(`status ${into.status}`, name, names, into.said);
	writeFileSync(NEW, into.out, 'latin1');
	const back = run('ctx-normalize', ['--from', agent, NEW]);
	const got = read(back.out).map(parse), out = got.filter(isMessage);
	// The log as every reader gets it: repaired.
	const want = read(run('ctx-normalize', [], write(list)).out).map(parse);
	// Thinking that has no place where a message is written anew is said to be gone.
	const thinks = !/left out.*(thinking|reasoning)/.test(into.said);
	const [a, b] = [neutral(want, thinks), neutral(out, thinks)];
	const at = isOdd ? -1 : a.findIndex((each, i) => each !== b[i]);
	if (at >= 0 || (!isOdd && a.length !== b.length)) return fault('other messages', name, names, `${at < 0 ? a.length : at}\n- ${a[at < 0 ? b.length : at]}\n+ ${b[at < 0 ? a.length : at]}`);
	const same = out.map(bare);
	let next = 0;
	for (const message of list.filter(each => !each[changed] && each.metadata?.source !== undefined)) {
		const found = same.indexOf(bare(message), next);
		if (found < 0 && !names.match(/insert|move|think|input|edit|drop/)) return fault('a message that was not touched is another', name, names, bare(message));
		if (found >= 0) next = found;
	}
	const lines = read(file).map(chainless), written = read(into.out).map(chainless);
	if (parse(file) !== undefined && read(file).length > 1 ? parse(into.out) === undefined : read(into.out).some(line => parse(line) === undefined && !file.includes(line))) return fault('no JSON', name, names);
	next = 0;
	const place = new Map();
	lines.forEach((line, i) => place.set(line, i));
	const kept = written.map(line => place.get(line)).filter(i => i !== undefined);
	if (agent !== 'opencode' && !names.includes('move') && !name.startsWith('own') && kept.some((i, n) => n > 0 && i < kept[n - 1] && lines.indexOf(lines[i]) === i && lines.lastIndexOf(lines[i]) === i && lines.lastIndexOf(lines[kept[n - 1]]) === lines.indexOf(lines[kept[n - 1]])))
		return fault('the order of lines', name, names);
	const again = run('ctx-normalize', ['--into', NEW], back.out);
	if (again.out !== into.out) return fault('a second run changes it', name, names, again.said);
	const [was, is] = [missed(agent, FILE), missed(agent, NEW)];
	if (was.missed === 0 && is.missed > 0 && !name.startsWith('own')) return fault(`${is.missed} messages are not reached, ${was.missed} before`, name, names, is.said);
	return true;
};

// What --to writes of a session.
const written = (agent, name, session) => {
	const { status, out, said } = run('ctx-normalize', ['--to', agent], session);
	last.file = session; last.log = ''; last.out = out;
	if (status !== 0) return fault(`status ${status}`, name, '--to', said), '';
	writeFileSync(FILE, out, 'latin1');
	const found = missed(agent, FILE);
	if (found.missed !== 0) fault(`${found.missed} messages are not reached`, name, '--to', found.said);
	const back = run('ctx-normalize', ['--from', agent, FILE]);
	const system = agent === 'codex' ? () => true : each => each.role !== 'system';
	const whole = run('ctx-normalize', ['--open-calls', 'close'], session).out;
	const [a, b] = [neutral(read(whole).map(parse).filter(isMessage).filter(system)), neutral(read(back.out).map(parse))];
	const at = a.findIndex((each, i) => each !== b[i]);
	if (at >= 0 || a.length !== b.length) fault('other messages', name, '--to', `- ${a[at]}\n+ ${b[at]}`);
	return out;
};

let number = 0;
const turn = () => number++ % parts === mine - 1;
for (let seed = 1; seed <= Number(seeds); seed++)
	for (const agent of agents) {
		if (!turn()) continue;
		const random = chance(`${agent} ${seed}`), session = small(seed, 4), file = written(agent, `small ${seed} ${agent}`, session);
		for (let i = 0; i < 3 && file; i++) holds(agent, `small ${seed} ${agent} ${i}`, file, random);
		const own = run('awk', ['-v', `kind=${agent}`, '-v', `seed=${seed}`, '-v', 'count=25', '-f', 'tests/laws/agent-session.awk']).out;
		if (agent !== 'opencode') holds(agent, `own ${seed} ${agent}`, own, random);
	}
for (const path of files) {
	if (!turn()) continue;
	const agent = agents.find(each => path.split('/').some(dir => dir.startsWith(each.replace('-cli', ''))));
	const random = chance(path);
	for (let i = 0; i < Number(process.env.LAWS_TIMES ?? 4); i++) holds(agent, `${path} ${i}`, readFileSync(path, 'latin1'), random);
}
rmSync(work, { recursive: true });
console.log(`into: ${runs} runs, ${changes} changes, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
