// chains.mjs SEEDS PART: a log that is compacted fifty times, with a turn made by chance before each:
// parallel calls, ids that come back, failures that are made good and others that never are, and single
// messages that are larger than the window; and sessions of one turn with a thousand steps. By each strategy.
//
//     each compaction   the invariants (invariants.mjs), from its input to its output
//     all of them       pinned messages, failures that nothing made good, modified files and constraints
//                       stand in the log or in the facts of its artifact, whatever came between
//     size              what is compacted has room; a refusal is one only as long as what was said last
//                       is too large

import { TAG, isOurs, readStream } from './stream.mjs';
import { check } from './invariants.mjs';
import { group, prose } from './generate.mjs';
import { chance, pick, run, weigh } from './run.mjs';

const [seeds, part = '1/1'] = process.argv.slice(2);
const [mine, parts] = part.split('/').map(Number);
const estimator = 'bytes/4', window = 16000, TURNS = 50, MOST_BYTES = 8 * window;

const help = run('ctx-compact', ['--help']).out;
const ways = [
	{ name: 'default', args: [], folds: true, keeps: true },
	{ name: 'prune,truncate', args: ['--pipeline', 'prune,truncate'] },
	{ name: 'simple', args: ['--strategy', 'simple'], messages: 10 },
	{ name: 'tokens', args: ['--strategy', 'tokens'], target: 0.75 },
	{ name: 'summarize', args: ['--strategy', 'summarize'], messages: 5, folds: true, keeps: true },
	{ name: 'sections', overflow: '3k', args: ['--max-section', 'buffer=4k', '--summary-tokens', '512', '--keep-messages', '1'], messages: 1, folds: true, keeps: true },
	{ name: 'symbolize', args: ['--strategy', 'symbolize'], messages: 5, folds: true },
].filter(({ name }) => !/^(simple|tokens|summarize|symbolize)$/.test(name) || new RegExp(`--strategy=.*${name}`).test(help));

let compactions = 0, refusals = 0, faults = 0, tag = 0;

const limits = ['--estimator', estimator, '--window', String(window), '--reserve-output', '0'];
const lines = messages => messages.map(message => `${JSON.stringify({ [TAG]: ++tag, ...message })}\n`).join('');

// A turn, and what must be known for ever after.
const turn = (random, n, known) => {
	const messages = [{ role: 'user', content: `${prose(random, 60)} ${n}.` }];
	if (n % 4 === 1) {
		known.constraints.push(`Never touch the file keep_${n}.c.`);
		messages[0].content = `${known.constraints.at(-1)} ${messages[0].content}`;
	}
	if (n % 9 === 5) {
		messages.push({ role: 'user', content: `Remember the number ${n}00${n}.`, metadata: { pinned: true } });
		known.pinned.push(`Remember the number ${n}00${n}.`);
	}
	const steps = 1 + Math.floor(random() * 5);
	for (let step = 0; step < steps; step++) {
		const id = random() < 0.3 ? 'call_0' : undefined, size = () => pick(random, [20, 200, 2500, random() < 0.05 ? 120000 : 500]);
		const way = random();
		if (way < 0.2) {
			const path = `src/part_${n}_${step}.c`;
			messages.push(...group(random, { calls: 1, long: 20, size: () => 10, id, args: [['edit', { path, old: 'a', new: prose(random, pick(random, [20, 4000])) }]] }));
			known.files.push(path);
		} else if (way < 0.32) {
			const command = `make target_${n}_${step}`;
			messages.push(...group(random, { calls: 1, long: 20, size: () => pick(random, [40, 1200]), id, failing: () => true, args: [['bash', { command }]] }));
			if (random() < 0.5) messages.push(...group(random, { calls: 1, long: 20, size: () => 30, id, args: [['bash', { command }]] }));
			else known.failures.push(command);
		} else {
			messages.push(...group(random, { calls: id ? 1 : pick(random, [1, 1, 2, 4]), long: pick(random, [20, 20, 3000, 40000]), size, id }));
		}
	}
	if (random() < 0.8) messages.push({ role: 'assistant', content: prose(random, pick(random, [40, 400, random() < 0.1 ? 90000 : 40])) });
	if (random() < 0.03) messages.push({ role: 'user', content: prose(random, 100000) });
	return lines(messages);
};

const lost = (stream, known, way) => {
	const ours = stream.messages.find(isOurs), facts = ours?.metadata.facts ?? {};
	const contents = stream.messages.map(message => message.value.content);
	const calls = stream.groups.flatMap(({ calls: list }) => list);
	const list = name => JSON.stringify(facts[name] ?? []);
	return [
		...known.pinned.filter(text => !contents.includes(text)).map(text => `pinned message: ${text}`),
		...known.failures.filter(command => !calls.some(call => call.args.command === command && call.result?.metadata.is_error && call.result.value.content.startsWith('error')) &&
			!(way.folds && list('unresolved').includes(`${command}:`))).map(command => `open failure: ${command}`),
		...known.files.filter(path => !calls.some(call => call.args.path === path) && !list('files_modified').includes(`"${path}"`)).map(path => `modified file: ${path}`),
		...(way.keeps ? known.constraints.filter(text => !contents.some(content => typeof content === 'string' && content.includes(text)) &&
			!list('constraints').includes(text)).map(text => `constraint: ${text}`) : []),
	];
};

// Whether what the user said last, and the messages that the window keeps in full, hardly have room.
const isTooMuch = (log, way) => {
	const all = readStream(log).messages, asked = all.filter(({ role, metadata }) => role === 'user' && !metadata.kind).at(-1);
	const kept = [asked, ...new Set(all.slice(-(way.messages ?? 1)).flatMap(message => message.group?.members ?? [message]))];
	return kept.reduce((sum, { line }) => sum + line.length / 4, 0) > 0.8 * window;
};

// Compacts the log; returns what is left, or the log when it is refused.
const compact = (what, came, way) => {
	const log = way.overflow ? run('ctx-route', ['--overflow', way.overflow, '--estimator', estimator], came).out : came;
	const { status, out, said } = run('ctx-compact', [...way.args, ...limits], log);
	const say = text => { faults++; console.log(`${what}: ${text}`); };
	compactions++;
	if (status === 1 && out === '') {
		refusals++;
		const least = Number(/cannot be met: ([\d,]+) tokens/.exec(said)?.[1].replaceAll(',', ''));
		if (!(least > window) || !isTooMuch(log, way)) say(`refused: ${said.slice(0, 300)}`);
		return { log, refused: said };
	}
	if (status !== 0 && !said.includes('it is still time')) { say(`status ${status}: ${said.slice(0, 200)}`); return { log }; }
	const before = readStream(log), after = readStream(out), had = weigh(log, estimator), has = weigh(out, estimator);
	if (has.used > window) say(`${has.used} of ${window} tokens`);
	for (const fault of check(before, after, { room: window, target: Math.floor(window * (way.target ?? 0.5)), window: way.messages && { messages: way.messages },
		drops: true, summarizes: way.folds, oldestFirst: !way.folds }, had.weights, has.weights)) say(fault);
	if (run('ctx-compact', [...way.args, ...limits], out).out !== out) say('a second run changed something');
	return { log: out, used: has.used };
};

const chain = (seed, way) => {
	const random = chance(seed), known = { pinned: [], failures: [], files: [], constraints: [] };
	let log = lines([{ role: 'system', content: 'You keep the lamps of the harbour.' }, { role: 'user', content: 'Begin with the quay.' }, { role: 'assistant', content: 'I do.' }]);
	let row = 0;
	for (let n = 1; n <= TURNS; n++) {
		const what = `seed ${seed}, ${way.name}, turn ${n}`;
		const left = compact(what, log + turn(random, n, known), way);
		log = left.log;
		row = left.refused ? row + 1 : 0;
		if (row > 12 || (row === 0 && log.length > MOST_BYTES)) { faults++; console.log(`${what}: refused ${row} times in a row, ${log.length} bytes`); return; }
		for (const text of lost(readStream(log), known, way)) { faults++; console.log(`${what}: lost ${text}`); return; }
	}
};

// A thousand steps of one turn.
const shapes = {
	equal: { size: () => 300, calls: () => 1 },
	'of very different size': { size: random => pick(random, [5, 50, 500, 5000, 50000]), calls: () => 1 },
	parallel: { size: () => 200, calls: random => 1 + Math.floor(random() * 5) },
	'one of ten fails': { size: () => 200, calls: () => 1, failing: step => step % 10 === 9 },
};

const oneTurn = (seed, way, name) => {
	const random = chance(seed), shape = shapes[name], messages = [{ role: 'user', content: 'Light all lamps of the harbour.' }];
	for (let step = 0; step < 1000; step++) {
		const calls = shape.calls(random);
		messages.push(...group(random, { calls, long: 20, size: () => shape.size(random), failing: () => shape.failing?.(step) === true,
			args: Array.from({ length: calls }, (_, i) => ['bash', { command: `lamp ${step} ${i}` }]) }));
	}
	const what = `one turn, ${name}, seed ${seed}, ${way.name}`, log = lines(messages), left = compact(what, log, way);
	if (left.log === log && !left.refused) { faults++; console.log(`${what}: nothing changed`); }
	if (!left.log.includes('Light all lamps of the harbour.')) { faults++; console.log(`${what}: the request is gone`); }
};

const jobs = [];
for (let seed = 1; seed <= Number(seeds); seed++)
	for (const way of ways) {
		jobs.push(() => chain(seed, way));
		if (seed <= 2) for (const name of Object.keys(shapes)) jobs.push(() => oneTurn(seed, way, name));
	}
jobs.filter((_, i) => i % parts === mine - 1).forEach(job => job());
console.log(`${compactions} compactions, ${refusals} refused, ${faults} faults`);
process.exit(faults > 0 || compactions === 0 ? 1 : 0);
