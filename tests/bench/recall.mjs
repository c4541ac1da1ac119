// What a compacted session still knows, without a model:
//     node recall.mjs FILE...
// CTX_BIN is where the commands are. Each session over 4,000 tokens is cut at 80 % of its messages,
// where no call waits for its result. ctx-compact brings the first part down to 50, 25 and 12 % of its
// tokens, and what the last part uses is looked for in what is left. A refusal, and a result over the
// budget, count nothing. A refusal is right when what must stay byte for byte does not fit: prompt,
// first request and newest request, which are weighed here alone. The second table leaves those out,
// the third is with an archive, and with one search in it for each thing that is missing.
// The metrics are written here anew: they share no code with the commands.
// RECALL_SESSIONS=1 gives each session, RECALL_LOST=METRIC what is lost of it, RECALL_JOIN=1 also
// measures the halves of each session, and each behind the one before it.

import { archiveOptions, clueOf, forgetAnswers, isFound, withoutArchive } from './recall-archive.mjs';
import { readSession } from './recall-read.mjs';
import { parseLines, run, tokensOf, write } from './recall-run.mjs';
import { constraints, contentOf, failures, futureNames, isUser, modifiedFiles, quotes, sentences, stands, userChunks, visible } from './recall-metrics.mjs';

const SHARES = [50, 25, 12], LEAST_TOKENS = 4000, LEAST_MESSAGES = 8;
const METRICS = ['future', 'far', 'words', 'failures', 'constraints', 'modified'];
const NAMES = ['future', 'far', 'modified'];
const isPrompt = record => ['system', 'developer'].includes(record.role) || record.type === 'context';

// The last place at or before 80 % of the messages with no call before it and that call's result
// behind it. A call that is never answered splits nothing.
const findCut = (records, share) => {
	const open = new Map(), ends = new Map();
	records.forEach((record, i) => {
		for (const call of record.tool_calls ?? []) open.set(call.id, [...(open.get(call.id) ?? []), i]);
		const from = open.get(record.tool_call_id)?.shift();
		if (from !== undefined) ends.set(from, Math.max(ends.get(from) ?? 0, i));
	});
	let cut = 0, end = -1;
	for (let i = 0; i <= records.length * share; i++) {
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
	return first.filter((record, i) => isPrompt(record) || (isUser(record) && (answer < 0 || i < answer)) || i === newest ||
		(i === first.length - 1 && record.role === 'assistant' && !record.tool_calls));
};

const share = (list, holds) => list.length === 0 ? null : list.filter(holds).length / list.length;
const none = questions => Object.fromEntries(METRICS.map(m => [m, share(questions[m], () => false)]));

// What is left at that limit: { answered, why, in: shares in the text, found: shares with a search }.
const measure = ({ file, questions, last }, limit, fits, options) => {
	const { status, stdout } = run('ctx-compact', ['--limit', String(limit), ...options, file]);
	if (status !== 0) return { answered: false, why: fits ? 'refused' : 'verbatim', in: none(questions), found: none(questions) };
	const records = parseLines(stdout);
	if (tokensOf(write('out.jsonl', records)) > limit) return { answered: false, why: 'over', in: none(questions), found: none(questions) };
	const text = visible(records), left = {}, found = {};
	for (const metric of METRICS) {
		const knows = one => (NAMES.includes(metric) ? stands : quotes)(one, text);
		left[metric] = share(questions[metric], knows);
		if (process.env.RECALL_LOST === metric && options.length === 0)
			questions[metric].filter(one => !knows(one)).forEach(one => console.log('lost', limit, JSON.stringify(one)));
		if (options.length > 0)
			found[metric] = share(questions[metric], one => knows(one) || isFound(metric, one, clueOf(metric, one, last)));
	}
	return { answered: true, why: '', in: left, found };
};

const percent = value => (value === null ? '-' : String(Math.round(value * 100))).padStart(5);
const mean = values => values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
const rows = [];

const measureSession = (title, records) => {
	const cut = findCut(records, 0.8), first = records.slice(0, cut), last = records.slice(cut);
	if (records.length < LEAST_MESSAGES || tokensOf(write('all.jsonl', records)) < LEAST_TOKENS || first.length < 2) return;
	const file = write('first.jsonl', first), tokens = tokensOf(file);
	const session = { file, questions: questionsOf(first, last), last }, least = tokensOf(write('verbatim.jsonl', verbatim(first)));
	for (const part of SHARES) {
		const limit = Math.floor(tokens * part / 100), row = { share: part, ...measure(session, limit, least <= limit, []) };
		withoutArchive();
		forgetAnswers();
		row.archived = measure(session, limit, least <= limit, archiveOptions);
		if (row.answered && !row.archived.answered && process.env.RECALL_SESSIONS)
			console.log(`with an archive refused at ${limit}: ${title}`);
		rows.push(row);
		if (process.env.RECALL_SESSIONS)
			console.log(`${String(part).padStart(3)}% ${String(tokens).padStart(7)} ${row.why.padEnd(8)}${METRICS.map(m => percent(row.in[m])).join('')}  ${title}`);
	}
};

// Of all sentences that may be a constraint, those that are taken for one; each text is dropped alone.
const taken = new Map();
const countTaken = records => {
	for (const record of records.filter(one => isPrompt(one) || one.role === 'user')) {
		const content = contentOf(record), all = sentences(content).length;
		if (taken.has(content) || all === 0 || record.metadata?.kind !== undefined) continue;
		const user = (text, metadata) => ({ role: 'user', content: text, metadata });
		const file = write('taken.jsonl', [user('Begin.'), { role: 'assistant', content: 'Well.' },
			user(content, record.metadata?.origin === 'injected' ? { origin: 'injected' } : undefined),
			{ role: 'assistant', content: 'Done. '.repeat(100) }, user('And now?')]);
		const facts = parseLines(run('ctx-compact', ['--force', '--target', '60', '--pipeline', 'summarize', file]).stdout)
			.find(one => one.metadata?.facts)?.metadata.facts;
		taken.set(content, [facts?.constraints?.length ?? 0, all]);
	}
};

let before = [];
for (const path of process.argv.slice(2)) {
	const records = readSession(path, run), title = path.replace(/^.*\/(?=[^/]*\/[^/]*$)/, '');
	if (records.length < LEAST_MESSAGES) continue;
	countTaken(records);
	measureSession(title, records);
	if (!process.env.RECALL_JOIN) continue;
	const half = findCut(records, 0.5), prompts = records.slice(0, half).filter(isPrompt);
	measureSession(`first half of ${title}`, records.slice(0, half));
	measureSession(`second half of ${title}`, [...prompts, ...records.slice(half)]);
	measureSession(`behind another: ${title}`, [...before, ...records.filter(record => before.length === 0 || !isPrompt(record))]);
	before = records;
}

const table = (title, chosen, valuesOf) => {
	console.log(`\n${title}\ntokens  sessions  answered  ${METRICS.join('  ')}`);
	for (const part of SHARES) {
		const of = chosen.filter(row => row.share === part).map(valuesOf);
		const means = METRICS.map(m => percent(mean(of.map(row => row.values[m]).filter(v => v !== null))).trim().padStart(m.length));
		console.log(`${String(part).padStart(4)} %  ${String(of.length).padStart(8)}  ` +
			`${String(of.filter(row => row.answered).length).padStart(8)}  ${means.join('  ')}`);
	}
};
const fitting = rows.filter(row => row.why !== 'verbatim');
table('all sessions, a refusal counted as nothing', rows, row => ({ answered: row.answered, values: row.in }));
table('those whose verbatim messages fit', fitting, row => ({ answered: row.answered, values: row.in }));
table('these with an archive, which the placeholders name', fitting, row => ({ answered: row.archived.answered, values: row.archived.in }));
table('these with an archive, and one search in it for each thing that is missing', fitting, row => ({ answered: row.archived.answered, values: row.archived.found }));

console.log();
for (const part of SHARES) {
	const of = rows.filter(row => row.share === part), count = why => of.filter(row => row.why === why).length;
	console.log(`${part} %: answered ${count('')} of ${of.length}; refused since verbatim messages alone exceed it: ${count('verbatim')}; ` +
		`other refusals: ${count('refused')}; over the budget: ${count('over')}`);
}
const [took, all] = [...taken.values()].reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
console.log(`constraints: ${took} taken of ${all} sentences in ${taken.size} texts of users, prompts and clients (${(took * 100 / all).toFixed(1)} %)`);
