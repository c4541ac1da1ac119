// brute.mjs SEEDS PART: small sessions made by chance, and of each all results within the invariants: for
// every set of the units (messages and groups) that may go, the rest with every text that may be cut as it
// is and as its placeholder, and the artifact with its first line. The smallest of these is the smallest
// reachable size: with as much room the session must be compacted, with one token less it must be refused,
// and the refusal must name that size.
//
//     may go        what is neither system, asked first, asked last, pinned, critical, open nor the newest unit;
//                   with summarize a failure, too, of which the facts then tell
//     may be cut    with prune: results to the shortest placeholder, strings in arguments to head and tail
//                   of 200 bytes, long texts of critical messages to head and tail of 2,000; texts of
//                   failures, to --error-tokens, are shorter here; with truncate alone results beside a failure
//     artifact      there if something went, or had gone; smaller in bytes and tokens than what it stands for
//
// By its definition (ctx-compact(1)) all that may go is gone. Where that is one small group, which would weigh
// less as placeholders than the artifact does, the refusal may name either, and the difference is less than the
// artifact. Where the artifact's metadata decides whether it is smaller, the session says nothing, and is counted.

import { isOurs, readStream, tagged } from './stream.mjs';
import { run, weigh } from './run.mjs';
import { small } from './generate.mjs';

const [seeds, part = '1/1'] = process.argv.slice(2);
const [mine, parts] = part.split('/').map(Number);
const estimator = 'bytes/4', MOST = 14;
const pipelines = ['dedupe,prune,summarize,truncate,normalize', 'prune,truncate', 'truncate', 'prune,summarize'];

const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
const cut = (text, keep) => `${text.slice(0, keep / 2)}\n[… ${grouped(text.length - keep)} bytes cut …]\n${text.slice(text.length - keep / 2)}`;
const isCut = text => text.includes(' bytes cut …]');
const compacted = (value, change) => ({ ...value, ...change, metadata: { ...value.metadata, compacted: true } });

// The strings of a call that are longer than that, cut; a path and a command stay.
const shorter = (call, over) => {
	const args = JSON.parse(call.function.arguments);
	for (const [name, text] of Object.entries(args))
		if (typeof text === 'string' && text.length > over && name !== 'path' && name !== 'command') args[name] = cut(text, over / 2);
	return { ...call, function: { ...call.function, arguments: JSON.stringify(args) } };
};

// What may stand in the place of a message that stays, as values.
const variants = (message, role, pipeline) => {
	const { value } = message, list = [value];
	const wasCut = message.metadata.compacted === true;
	if (role === 'verbatim') return list;
	if (role === 'beside' && !wasCut && value.content.length > 2000 && pipeline.includes('truncate')) list.push(compacted(value, { content: cut(value.content, 1000) }));
	if (!pipeline.includes('prune')) return list;
	if (message.role === 'tool' && role !== 'failure' && role !== 'critical' && (!wasCut || isCut(value.content)))
		list.push(compacted(value, { content: '[result removed]' }));
	if (role === 'critical' && !wasCut && typeof value.content === 'string' && value.content.length > 2000)
		list.push(compacted(value, { content: cut(value.content, 1000) }));
	if (message.calls.length > 0 && !wasCut)
		list.push(compacted(value, { tool_calls: value.tool_calls.map(call => shorter(call, role === 'critical' ? 2000 : 200)) }));
	return list;
};

const artifact = dropped => ({ role: 'user', content: `[summary] ${grouped(dropped)} earlier message${dropped === 1 ? ' was' : 's were'} dropped to save context.`,
	metadata: { kind: 'summary', scope: 'historical', compacted: true } });

const bytes = value => Buffer.byteLength(JSON.stringify(value)) + 1;

const unitsOf = stream => stream.thread.filter(message => message.call === undefined && !isOurs(message)).map(head => head.group?.members ?? [head]);

// The calls that failed, of each key the newest, and that no later call of the same tool made good.
const failuresOf = stream => {
	const calls = stream.groups.flatMap(group => group.calls);
	const isOver = ({ message }) => message.execution < stream.last || stream.isOver;
	const target = ({ name, args }) => name === 'look' ? undefined : args.path ?? args.command;
	const failed = call => call.result ? call.result.metadata.is_error === true : isOver(call);
	return new Set(calls.filter((call, i) => failed(call) && call.result?.metadata.resolved !== true && !calls.slice(i + 1).some(later =>
		(later.key === call.key && (later.result !== undefined || isOver(later))) ||
		(later.result && !failed(later) && later.name === call.name && target(call) !== undefined && target(later) === target(call)))));
};

const newestUnit = list => list.reduce((found, unit) => unit.at(-1).place > (found?.at(-1).place ?? -1) ? unit : found, undefined);

// What each unit is to compaction.
const roles = (stream, folds) => {
	const list = unitsOf(stream), failures = failuresOf(stream);
	const ours = stream.thread.find(isOurs);
	const users = stream.thread.filter(message => message.role === 'user' && !isOurs(message));
	const answer = stream.thread.find(message => message.role === 'assistant' && message.place > (users[0]?.place ?? Infinity));
	const first = ours ? users.slice(0, ours.metadata.facts.framing ?? 1) : users.filter(message => !answer || message.place < answer.place);
	const newest = newestUnit(list);
	const opener = stream.thread.find(message => message.execution === stream.last && message.role === 'user' && !isOurs(message));
	return list.map(unit => {
		const [head] = unit, has = name => unit.some(message => message.metadata[name] === true);
		const isOpen = head.group?.calls.some(call => !call.result) && head.execution === stream.last && !stream.isOver;
		if (head.role === 'system' || first.includes(head) || head === users.at(-1) || has('pinned') || isOpen) return 'verbatim';
		if (head === opener && !stream.isOver) return 'verbatim';
		if (has('critical')) return 'critical';
		const failing = head.group?.calls.some(call => failures.has(call));
		if (unit === newest) return failing ? 'failure' : 'newest';
		return failing && !folds ? 'failure' : 'free';
	});
};

// The smallest reachable size; undefined where the bytes of the artifact are in doubt.
const smallest = (bytesOfStream, pipeline) => {
	const stream = readStream(bytesOfStream), list = unitsOf(stream), ours = stream.thread.find(isOurs);
	if (ours?.metadata.facts.request) return undefined; /* it names what no longer shows */
	const folds = pipeline.includes('summarize');
	const role = roles(stream, folds), failures = new Set([...failuresOf(stream)].map(call => call.result));
	const choices = list.map((unit, i) => unit.map(message => {
		const isResult = message.role === 'tool', fails = failures.has(message);
		const said = role[i] === 'failure' && !fails && isResult && unit !== newestUnit(list) ? 'beside' : fails ? 'failure' : role[i] === 'failure' ? 'newest' : role[i];
		return variants(message, said, pipeline);
	}));
	const prior = ours?.metadata.facts.dropped ?? 0;
	const all = [...choices.flat(2), ...stream.thread.map((message, i) => artifact(prior + i + 1)), artifact(prior), ...(ours ? [ours.value] : [])];
	const marked = all.map((value, i) => `${JSON.stringify({ law_n: i + 1, ...value, law_n: i + 1 })}\n`).join('');
	const { weights } = weigh(Buffer.from(marked).toString('latin1'), estimator);
	const tokens = new Map(all.map((value, i) => [JSON.stringify(value), weights.get(i + 1)]));
	const weightOf = value => tokens.get(JSON.stringify(value));
	const sizes = choices.map(unit => unit.reduce((sum, [was, ...others]) => sum + Math.min(weightOf(was),
		...others.filter(value => bytes(value) < bytes(was) && weightOf(value) <= weightOf(was)).map(weightOf)), 0));
	const free = list.map((unit, i) => i).filter(i => role[i] === 'free' && list[i][0] !== undefined);
	if (free.length > MOST) return undefined;
	const total = of => list.map(unit => unit.reduce((sum, message) => sum + of(message.value), 0));
	const gone = { count: list.map(unit => unit.length), bytes: total(bytes), tokens: total(weightOf), size: sizes };
	const start = { dropped: 0, units: 0, bytes: ours ? bytes(ours.value) : 0, tokens: ours ? weightOf(ours.value) : 0, size: sizes.reduce((sum, one) => sum + one, 0) };
	const sets = [start];
	for (let set = 1; set < 1 << free.length; set++) {
		const rest = sets[set & (set - 1)], i = free[31 - Math.clz32(set & -set)];
		sets.push({ dropped: rest.dropped + gone.count[i], units: rest.units + 1, bytes: rest.bytes + gone.bytes[i], tokens: rest.tokens + gone.tokens[i], size: rest.size - gone.size[i] });
	}
	let least = ours ? Infinity : start.size, unsure = false;
	for (const set of ours ? sets : sets.slice(1)) {
		const one = artifact(prior + set.dropped), slack = set.bytes - bytes(one);
		if (set.dropped === 0) least = Math.min(least, set.size + weightOf(ours.value));
		if (set.tokens < weightOf(one) || slack < 60 + 30 * set.units || set.size + weightOf(one) >= least) continue;
		unsure = slack < 400 + 250 * set.units;
		least = set.size + weightOf(one);
	}
	const last = sets.at(-1), whole = artifact(prior + last.dropped);
	const defined = last.dropped > 0 && last.tokens >= weightOf(whole) ? last.size + weightOf(whole) : least;
	return unsure ? undefined : { least, defined: defined - least < weightOf(whole) ? defined : least };
};

let sessions = 0, doubtful = 0, corners = 0, faults = 0;

const compact = (pipeline, window, input) => run('ctx-compact', ['--pipeline', pipeline, '--estimator', estimator, '--window', String(window), '--reserve-output', '0'], input);
const named = said => Number(/cannot be met: ([\d,]+) tokens are the least/.exec(said)?.[1].replaceAll(',', ''));

const hold = (what, input, pipeline) => {
	const found = smallest(input, pipeline);
	if (found === undefined) { doubtful++; return; }
	sessions++;
	const refused = compact(pipeline, 1, input);
	const least = named(refused.said) === found.defined ? found.defined : found.least;
	if (least > found.least) corners++;
	const say = text => { faults++; console.log(`${what}, ${pipeline}: ${text}`); };
	if (named(refused.said) !== least) say(`the least is ${least}, and it names ${named(refused.said)}`);
	for (const window of [least - 1, least, least + 1, Math.floor(least * 1.3)]) {
		const { status, said } = compact(pipeline, window, input);
		if ((status === 0 || said.includes('it is still time')) !== (window >= least)) say(`the least is ${least}, and with ${window} the status is ${status}`);
	}
};

for (let seed = 1; seed <= Number(seeds); seed++) {
	if (seed % parts !== mine - 1) continue;
	const input = tagged(small(seed));
	for (const pipeline of pipelines) {
		hold(`seed ${seed}`, input, pipeline);
		const once = compact(pipeline, Math.ceil(weigh(input, estimator).used * 0.6), input);
		if (once.status === 0 && once.out !== input) hold(`seed ${seed}, compacted once`, once.out + tagged(small(seed + 1000, 2)).replaceAll('"law_n":', '"law_m":'), pipeline);
	}
}
console.log(`${sessions} sessions, ${doubtful} in doubt, ${corners} where placeholders weigh less than the artifact, ${faults} faults`);
process.exit(faults > 0 || sessions === 0 ? 1 : 0);
