// check.mjs AGENT FILE [CANONICAL|trap]: resumes FILE in AGENT, and compares what it sends with what ctx-normalize reads, as
// it is and through --to; and what it sends with the CANONICAL lines that FILE was made from. Prints one JSON object: verdict is
// equal, known (equal but for rows of differences.mjs), different, unloaded (by the client) or absent (the client). doctor
// says how many messages of it --check says are loaded, and where that is not what is sent; of a trap only that is looked at.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compare } from './compare.mjs';
import { known } from './differences.mjs';
import { exported } from './export.mjs';
import { lines, neutral } from './neutral.mjs';

const [agent, file, canonical] = process.argv.slice(2);
const work = mkdtempSync(join(process.env.TMPDIR ?? '/tmp', 'ctx-client.'));
const request = '--request={"model":"m","max_tokens":99}';

const run = (command, args, input) => {
	const { status, stdout, stderr } = spawnSync(command, args, { input, maxBuffer: 2 ** 30, encoding: 'utf8' });
	return { status, out: stdout, said: stderr.trim() };
};

// What ctx reads; status 65 says that there were bad lines, which the clients pass over.
const normalize = (args, input) => {
	const { status, out, said } = run('ctx-normalize', args, input);
	if (status !== 0 && status !== 65) throw new Error(`ctx-normalize ${args.join(' ')}: status ${status}: ${said}`);
	return out;
};

// put(TEXT): a file with it, named as FILE is.
const put = (text) => { const path = join(work, basename(file)); writeFileSync(path, text); return path; };

// reason(SAID): of what a client said, the end of what tells, without its directories.
const reason = (said) => {
	const list = said.replace(/\x1b\[[0-9;]*m/g, '').split('\n').filter((line) => line && !/^Warning:|^Ripgrep/.test(line));
	return (list.slice(1, 4).join(' ') || list[0]).replace(/.*\/ctx-sent\.\w+\/\S*\/\S*?:? /, '').replace(/[0-9a-f]{8}-\S*/, 'ID').slice(0, 160);
};

const answers = new Map();
// send(TEXT): what the client sends of a session, neutral; or why not.
const send = (text) => {
	if (!answers.has(text)) {
		const path = put(text), { status, out, said } = run('bash', [join(dirname(process.argv[1]), 'sent.bash'), agent, path]);
		if (![0, 1, 77].includes(status)) throw new Error(said);
		answers.set(text, status === 0 ? { sent: neutral(agent, out, path) } : { absent: status === 77, said });
	}
	return answers.get(text);
};

// The paths from ctx's lines to neutral ones: as they are, and the body of a request of each API.
const paths = { ctx: (text) => neutral('ctx', text) };
for (const api of ['anthropic', 'openai', 'responses', 'gemini'])
	paths[api] = (text) => neutral(api, normalize([`--to=${api}`, '--open-calls=keep', request], text));

// attempt(TEXT, CTX, ROWS): the comparison of each path, with the differences of ROWS undone.
const attempt = (session, ctx, rows) => {
	const undo = (part, start) => rows.reduce((value, row) => row[part] ? row[part](value) : value, start);
	const { sent, ...failure } = send(undo('session', session));
	if (!sent) return failure;
	const list = lines(ctx).filter((line) => rows.every((row) => row.canonical?.(line) ?? true));
	const kept = list.some((line) => line.role) ? list.map((line) => JSON.stringify(line) + '\n').join('') : '';
	const compared = Object.entries(paths).map(([path, read]) => ({ path, ...compare(undo('sent', sent), undo('read', kept ? read(kept) : [])) }));
	return { ...compared[0], nothing: !kept, said: compared.flatMap(({ path, said }) => said.map((text) => `${path}: ${text}`)) };
};

// What today's client spells otherwise: the doctor is asked about the file as it has it.
const spelled = known.filter((row) => row.agent === agent && row.session && !['progress', 'parentless'].includes(row.name));

// doctored(SESSION): what ctx-normalize --check says that the agent loads, held against what the client sends: without
// the lines that it says are missed, ctx reads so many messages, and those that are sent.
const doctored = (session) => {
	const path = put(session), report = join(work, 'report');
	run('ctx-normalize', ['--check', '--from', agent, '--report', report, path]);
	const { loaded: [tale = { messages: 0, reached: 0, missed: [] }] = [] } = JSON.parse(readFileSync(report, 'utf8'));
	const doctor = { messages: tale.messages, reached: tale.reached, said: [] }, { sent } = send(session);
	const rows = known.filter((row) => (!row.agent || row.agent === agent) && !row.session);
	const undo = (part, start) => rows.reduce((value, row) => row[part] ? row[part](value) : value, start);
	const talk = (list) => list.filter((line) => line.role !== 'system');
	const missed = new Set(tale.missed), kept = missed.size ? session.split('\n').filter((_, i) => !missed.has(i + 1)).join('\n') : session;
	const read = !tale.reached ? [] : lines(normalize(['--bad-lines=drop', '--bad-file=/dev/null', '--from', agent, put(kept)]))
		.filter((line) => line.role && line.role !== 'system' && rows.every((row) => row.canonical?.(line) ?? true));
	if (tale.reached + tale.missed.length >= tale.messages || !tale.reached)
		doctor.said.push(...compare(undo('sent', talk(sent ?? [])), undo('read', talk(neutral('ctx', read.map((line) => JSON.stringify(line)).join('\n'))))).said);
	else if (!sent) doctor.said.push('nothing is sent');
	return doctor;
};

// fewest(ROWS, HOLDS): those of the rows without which it does not hold; undefined: nor does it with all of them.
const fewest = (rows, holds) => {
	if (!holds(rows)) return undefined;
	let list = rows;
	for (const row of rows) {
		const rest = list.filter((one) => one !== row);
		if (rest.length < list.length && holds(rest)) list = rest;
	}
	return list;
};

// madeOf(SESSION): what the client sends of it, held against the canonical session that it was written of.
const madeOf = (session) => {
	const source = lines(readFileSync(canonical, 'utf8')), { sent } = send(session);
	const differ = (rows) => {
		const undo = (part, start) => rows.reduce((value, row) => row[part] ? row[part](value) : value, start);
		const made = undo('made', source).map((line) => JSON.stringify(line)).join('\n');
		return compare(undo('read', neutral('ctx', made)), undo('sent', sent)).said;
	};
	const list = fewest(known.filter((row) => (!row.agent || row.agent === agent) && !row.session), (rows) => !differ(rows).length);
	if (!list) return { verdict: 'different', said: differ([]).map((text) => `made of: ${text}`) };
	return list.length ? { verdict: 'known', rows: list.map((row) => row.name) } : { verdict: 'equal' };
};

// swept(SESSION): where ctx-normalize --gc takes anything out of it, what the client then sends, held against what it sends.
const swept = (session) => {
	if (!['claude-code', 'codex', 'pi'].includes(agent)) return [];
	const left = normalize(['--gc', '--from', agent, put(session)]);
	if (left === session) return [];
	const before = send(session), after = send(left);
	if (!before.sent || !after.sent) return before.sent || after.sent ? [`swept: ${reason((before.sent ? after : before).said)}`] : [];
	return compare(before.sent, after.sent).said.map((text) => `swept: ${text}`);
};

const judge = (session) => {
	const ctx = normalize(['--bad-lines=drop', '--bad-file=/dev/null', put(session)]);
	const first = attempt(session, ctx, []);
	if (!first.said.length && first.messages) return canonical ? { ...first, ...madeOf(session) } : { verdict: 'equal', ...first };
	if (first.absent !== undefined) return { verdict: first.absent ? 'absent' : 'unloaded', said: [reason(first.said)] };
	const rows = known.filter((row) => !row.agent || row.agent === agent);
	const isEqual = (list) => { const { messages, nothing, said } = attempt(session, ctx, list); return (messages > 0 || nothing) && !said.length; };
	const list = fewest(rows.filter((row) => !row.session), isEqual) ?? fewest(rows, isEqual);   // only those that it needs are named
	if (!list) return { verdict: 'different', ...first };
	return { verdict: 'known', ...attempt(session, ctx, list), rows: list.map((row) => row.name) };
};

try {
	const session = exported(agent, readFileSync(file, 'utf8')), doctor = doctored(spelled.reduce((text, row) => row.session(text), session));
	const trap = canonical === 'trap' && { verdict: doctor.said.length ? 'different' : 'trap', said: doctor.said };
	const found = trap || judge(session), lost = swept(session);
	console.log(JSON.stringify({ agent, file, ...found, ...lost.length && { verdict: 'different', said: lost }, doctor }));
} catch (error) {
	console.log(JSON.stringify({ agent, file, verdict: 'different', said: [error.message] }));
} finally {
	rmSync(work, { recursive: true });
}
