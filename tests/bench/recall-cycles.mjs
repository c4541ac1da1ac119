// Forty compactions in a row, with new turns between: what each frees, and what is left at least.
//     node recall-cycles.mjs [FILE...]
// A made session, and the files joined, in pieces. A piece has a third of the window. Then the same with
// an archive, and two facts in each piece, of which one look-up with the words of a question must find
// 97 %; the archive must give all bytes back. Ends with 1 where it does not.

import { readSession } from './recall-read.mjs';
import { parseLines, run, tokensOf, work, write } from './recall-run.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOUND_LEAST = 0.97, CYCLES = 40, WINDOW = 16000, PIECE = WINDOW / 3, BYTES_A_TOKEN = 4;

// The same numbers each time.
let seed = 1;
const random = most => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
const pick = list => list[random(list.length)];

const FILES = Array.from({ length: 60 }, (_, i) => `src/quay_${i % 12}/lamp_${i}.c`);
const TOOLS = ['read', 'edit', 'bash'];

// A turn: a request, steps with one call or two and now and then a failure, an answer.
const makeTurn = number => {
	const records = [{ role: 'user', content: random(8) === 0 ? `Never light lamp ${number} before noon.` : `Mend lamp ${number} of quay ${random(12)}: it should burn all night.` }];
	for (let step = 0; step < 4 + random(8); step++) {
		const ids = Array.from({ length: 1 + (random(4) === 0) }, (_, i) => `c${number}_${step % 3}_${i}`);
		const calls = ids.map(id => {
			const name = pick(TOOLS), path = pick(FILES);
			const args = name === 'bash' ? { command: `make -C ${path.split('/')[1]} check-${random(9)}` } : name === 'edit' ?
				{ path, old_string: `lamp_${random(99)}`, new_string: 'burn(); '.repeat(random(200)) } : { path };
			return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
		});
		records.push({ role: 'assistant', content: null, tool_calls: calls });
		for (const id of ids) {
			const failed = random(12) === 0;
			records.push({ role: 'tool', tool_call_id: id, content: (failed ? `error: E${random(900)} in wick_${random(99)}\n` : '') +
				`void lamp_${random(999)}(int oil);\n`.repeat(random(random(30) === 0 ? 900 : 90)), ...(failed ? { metadata: { is_error: true } } : {}) });
		}
	}
	return [...records, { role: 'assistant', content: `Lamp ${number} burns. Next I look at lamp ${number + 1}.` }];
};

const made = function* () {
	yield { role: 'system', content: 'You mend lamps.' };
	for (let number = 1; ; number++)
		yield* makeTurn(number);
};

// The sessions one behind the other; of system prompts and contexts only the first.
const joined = function* (files) {
	let first = true;
	for (;;)
		for (const file of files) {
			const records = readSession(file, run);
			if (records.length < 8)
				continue;
			yield* records.filter(record => first || !(record.type === 'context' || ['system', 'developer'].includes(record.role)));
			first = false;
		}
};

// The next records of about so many tokens, up to where no call waits for its result.
const take = (source, tokens) => {
	const records = [], open = new Set();
	let bytes = 0;
	while (bytes < tokens * BYTES_A_TOKEN || open.size > 0) {
		const record = source.next().value;
		for (const call of record.tool_calls ?? []) open.add(call.id);
		open.delete(record.tool_call_id);
		records.push(record);
		bytes += JSON.stringify(record).length;
		if (open.size > 0 && records.length > 1000) break;
	}
	return records;
};

const leastOf = file => {
	const said = run('ctx-compact', ['--limit', '1', file]).stderr.match(/([\d,]+) tokens are the least/);
	return said === null ? 0 : Number(said[1].replaceAll(',', ''));
};

const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const thousands = value => (value / 1000).toFixed(1) + 'k';

const measure = (title, source) => {
	const freed = [], left = [], least = [];
	let records = [], refused = 0, pieces = 0;
	while (freed.length < CYCLES && pieces++ < CYCLES * 4) {
		records = [...records, ...take(source, PIECE)];
		const file = write('cycle.jsonl', records), before = tokensOf(file);
		const { status, stdout } = run('ctx-compact', ['--window', String(WINDOW), file]);
		refused += status !== 0;
		if (status !== 0 || stdout.length === 0)
			continue;
		records = parseLines(stdout);
		const after = tokensOf(write('cycle.jsonl', records));
		if (after === before)
			continue;
		freed.push(1 - after / before);
		left.push(after);
		least.push(leastOf('cycle.jsonl'));
	}
	const tens = list => [0, 9, 19, 29, 39].filter(i => i < list.length).map(i => list[i]);
	console.log(`${title.padEnd(10)} ${String(freed.length).padStart(6)} ${String(refused).padStart(7)}  ` +
		`${[Math.min(...freed), median(freed), Math.max(...freed)].map(v => String(Math.round(v * 100)).padStart(4)).join('')}   ` +
		`${tens(left).map(v => thousands(v).padStart(6)).join('')}   ${tens(least).map(v => thousands(v).padStart(6)).join('')}`);
};

// What the agent says of a valve, and what a run prints of a unit: [records, questions and answers].
const factsOf = number => {
	const name = `valve${number * 7 % 41}-${number * 11 % 43}`, pressure = 1000 + number * 7, serial = 7000000 + number * 131;
	const call = { id: `plant${number}`, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command: `./probe --unit ${name}` }) } };
	return [[{ role: 'assistant', content: `The pipe of ${name} opens at ${pressure} millibar, as the trace shows.` },
		{ role: 'assistant', content: null, tool_calls: [call] },
		{ role: 'tool', tool_call_id: call.id, content: `unit ${name}: serial ${serial}, firmware 4.${number}.2\nok` }],
	[[`At which pressure does the pipe of ${name} open?`, `${pressure} millibar`], [`Which serial does unit ${name} have?`, `serial ${serial}`]]];
};

const remember = (title, source) => {
	const log = 'facts.jsonl', archive = 'facts.archive', asked = [];
	let all = '', text = '', passes = 0;
	for (let piece = 0; passes < CYCLES && piece < CYCLES * 4; piece++) {
		const [records, questions] = factsOf(piece);
		const added = [...take(source, PIECE), ...records].map(record => JSON.stringify(record) + '\n').join('');
		asked.push(...questions);
		all += added;
		writeFileSync(join(work, log), text + added);
		run('ctx-compact', ['-i', '--archive', archive, '--window', String(WINDOW), log]);
		const left = readFileSync(join(work, log), 'utf8');
		passes += left !== text + added;
		text = left;
	}
	const found = asked.filter(([question, answer]) => run('ctx-recall', [archive, '-F', question]).stdout.includes(answer)).length;
	const isBack = run('ctx-restore', [archive, log]).stdout === all;
	console.log(`${title.padEnd(10)} ${String(passes).padStart(6)} ${String(asked.length).padStart(6)} ` +
		`${String(asked.filter(([, answer]) => text.includes(answer)).length).padStart(8)} ${String(found).padStart(6)}  ${isBack ? 'yes' : 'NO'}`);
	if (found < asked.length * FOUND_LEAST || !isBack) process.exitCode = 1;
};

console.log(`\n${CYCLES} compactions in a row, a window of ${WINDOW / 1000}k: freed in percent (least, median, most),\n` +
	'tokens left after the 1st, 10th, 20th, 30th, 40th, and what could be reached at least there');
console.log('session    cycles refused     freed         left                              least');
measure('made', made());
if (process.argv.length > 2)
	measure('real', joined(process.argv.slice(2)));

console.log('\nthe same with an archive: facts that were planted, those in the text, those that one look-up finds, all bytes back');
console.log('session    cycles  facts  in text  found  back');
remember('made', made());
if (process.argv.length > 2)
	remember('real', joined(process.argv.slice(2)));
