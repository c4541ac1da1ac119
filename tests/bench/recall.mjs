// What a compacted session still knows, without a model:
//     node recall.mjs FILE...
// CTX_BIN is where the commands are. Each session over 4,000 tokens is cut at 80 % of its messages,
// where no call waits for its result. ctx-compact brings the first part down to 50, 25 and 12 % of its
// tokens, and what the last part uses is looked for in what is left. A refusal, and a result over the
// budget, count nothing. The second table leaves out the sessions whose verbatim messages do not fit:
// prompt, first request and newest request, which no compaction touches. The metrics are written here anew: they share no code with the commands.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSession } from './recall-read.mjs';
import { constraints, failures, futureNames, isUser, modifiedFiles, quotes, stands, userChunks, visible } from './recall-metrics.mjs';

const SHARES = [50, 25, 12], LEAST_TOKENS = 4000, LEAST_MESSAGES = 8;
const METRICS = ['future', 'far', 'words', 'failures', 'constraints', 'modified'];
const work = mkdtempSync(join(tmpdir(), 'ctx-recall.'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const run = (command, args) => spawnSync(join(process.env.CTX_BIN ?? 'build/bin', command), args,
	{ encoding: 'utf8', maxBuffer: 1 << 30 });

const write = (name, records) => {
	const file = join(work, name);
	writeFileSync(file, records.map(record => JSON.stringify(record) + '\n').join(''));
	return file;
};

// The tokens that a request of the file has, with prompt and tools.
const tokensOf = file => {
	const report = JSON.parse(run('ctx-budget', ['--json', file]).stdout || '{}');
	return (report.used_tokens ?? 0) + (report.reserved_system_tokens ?? 0);
};

// The last place at or before 80 % of the messages with no call before it and that call's result
// behind it. A call that is never answered splits nothing.
const findCut = records => {
	const open = new Map(), ends = new Map();
	records.forEach((record, i) => {
		for (const call of record.tool_calls ?? []) open.set(call.id, [...(open.get(call.id) ?? []), i]);
		const from = open.get(record.tool_call_id)?.shift();
		if (from !== undefined) ends.set(from, Math.max(ends.get(from) ?? 0, i));
	});
	let cut = 0, end = -1;
	for (let i = 0; i <= records.length * 0.8; i++) {
		if (i > end) cut = i;
		end = Math.max(end, ends.get(i) ?? -1);
	}
	return cut;
};

// What the first part has that can be asked for: by metric, a list of texts or of lists of texts
// that must all stand.
const questionsOf = (first, last) => {
	const { future, far } = futureNames(first, last);
	return { future, far, words: userChunks(first), failures: failures(first), constraints: constraints(first),
		modified: modifiedFiles(first) };
};

// What must stay byte for byte: prompts, what the user asked before the first answer, the newest
// request, and the newest message.
const verbatim = first => {
	const answer = first.findIndex((record, i) => record.role === 'assistant' && first.slice(0, i).some(isUser));
	const newest = first.findLastIndex(isUser);
	return first.filter((record, i) => ['system', 'developer'].includes(record.role) || record.type === 'context' ||
		(isUser(record) && (answer < 0 || i < answer)) || i === newest ||
		(i === first.length - 1 && record.role === 'assistant' && !record.tool_calls));
};

const NAMES = ['future', 'far', 'modified'];
const shareOf = (metric, questions, text) => questions.length === 0 ? null :
	questions.filter(one => (NAMES.includes(metric) ? stands : quotes)(one, text)).length / questions.length;

const none = questions => Object.fromEntries(METRICS.map(m => [m, questions[m].length === 0 ? null : 0]));

const measure = (file, questions, tokens, share) => {
	const limit = Math.floor(tokens * share / 100);
	const { status, stdout } = run('ctx-compact', ['--limit', String(limit), file]);
	if (status !== 0) return { answered: false, left: 0, ...none(questions) };
	const out = join(work, 'out.jsonl');
	writeFileSync(out, stdout);
	const left = tokensOf(out);
	if (left > limit) return { answered: false, left, over: true, ...none(questions) };
	const text = visible(stdout.split('\n').filter(line => line !== '').map(line => JSON.parse(line)));
	return { answered: true, left, ...Object.fromEntries(METRICS.map(m => [m, shareOf(m, questions[m], text)])) };
};

const percent = value => (value === null ? '-' : String(Math.round(value * 100))).padStart(5);
const mean = values => values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;

const rows = [];
for (const path of process.argv.slice(2)) {
	const records = readSession(path, run);
	if (records.length < LEAST_MESSAGES) continue;
	const cut = findCut(records), first = records.slice(0, cut), last = records.slice(cut);
	const file = write('first.jsonl', first), tokens = tokensOf(file);
	if (tokensOf(write('all.jsonl', records)) < LEAST_TOKENS || first.length < 2) continue;
	const questions = questionsOf(first, last), least = tokensOf(write('verbatim.jsonl', verbatim(first)));
	for (const share of SHARES) {
		const result = { path, share, fits: least <= tokens * share / 100, ...measure(file, questions, tokens, share) };
		rows.push(result);
		if (process.env.RECALL_SESSIONS)
			console.log(`${String(share).padStart(3)}% ${String(tokens).padStart(7)} ${result.answered ? ' ' : result.over ? 'O' : result.fits ? 'R' : 'r'}` +
				`${METRICS.map(m => percent(result[m])).join('')}  ${path.replace(/^.*\/(?=[^/]*\/[^/]*$)/, '')}`);
	}
}

const table = (title, chosen) => {
	console.log(`\n${title}\ntokens  sessions  answered  ${METRICS.join('  ')}`);
	for (const share of SHARES) {
		const of = chosen.filter(row => row.share === share);
		const means = METRICS.map(m => percent(mean(of.map(row => row[m]).filter(v => v !== null))).trim().padStart(m.length));
		console.log(`${String(share).padStart(4)} %  ${String(of.length).padStart(8)}  ` +
			`${String(of.filter(row => row.answered).length).padStart(8)}  ${means.join('  ')}`);
	}
};
table('all sessions', rows);
table('those whose verbatim messages fit', rows.filter(row => row.fits));
