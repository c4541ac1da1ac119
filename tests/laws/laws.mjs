// laws.mjs SHARE PART FILE...: compacts each session at budgets from 200 tokens to twice its size, by each
// strategy and each subset of the pipeline, and holds what comes out against the invariants. Of all
// combinations a SHARE (0 to 1) is taken, the same ones each time; PART is I/N, for N processes.
//
//     identity     what is not due leaves byte for byte; a second run changes nothing
//     budget       status 0: used is at most the room; status 1: nothing is written, and the least that
//                  the diagnostic names is what can be had: with it the status is 0, with one less 1
//     invariants   invariants.mjs

import { bytesOf, readStream, tagged } from './stream.mjs';
import { check } from './invariants.mjs';
import { hash, run, weigh } from './run.mjs';

const [share, part, ...files] = process.argv.slice(2);
const [mine, parts] = part.split('/').map(Number);

const help = run('ctx-compact', ['--help']).out;
const transforms = /--pipeline=LIST +([a-z,]+),/.exec(help)[1].split(',').filter(name => name !== 'in');
const strategies = ['simple', 'tokens', 'summarize', 'symbolize'].filter(name => new RegExp(`--strategy=.*${name}`).test(help));
const kept = { simple: 10, summarize: 5, symbolize: 5 };

const subsets = transforms.reduce((all, name) => [...all, ...all.map(list => [...list, name])], [[]]);
const plans = [...subsets.map(list => ({ args: ['--pipeline', list.join(',')], list })),
	...strategies.map(name => ({ args: ['--strategy', name], name, list: [name === 'simple' || name === 'tokens' ? 'truncate' : name] }))];
const extras = [[], [], ['--force'], ['--keep-turns', '1'], ['--best-effort'], ['--force', '--keep-messages', '4'], ['--target', '100%'], ['--target', '1']];
const shares = [0.05, 0.15, 0.3, 0.5, 0.7, 0.9, 1, 1.3, 2];

let runs = 0, refusals = 0, changes = 0, faulty = 0;

const least = said => Number(/cannot be met: ([\d,]+) tokens are the least/.exec(said)?.[1].replaceAll(',', ''));

const windowOf = (plan, extra) => {
	if (extra.includes('--keep-turns')) return { turns: 1 };
	if (extra.includes('--keep-messages')) return { messages: 4 };
	return plan.name in kept ? { messages: kept[plan.name] } : undefined;
};

const limits = window => ['--window', String(window), '--reserve-output', '0', '--reserve-system', '0'];

const judge = (session, plan, extra, window) => {
	const faults = [], estimator = session.estimator;
	const args = [...plan.args, ...extra, '--estimator', estimator];
	const compact = (room, bytes) => run('ctx-compact', [...args, ...limits(room)], bytes);
	const { status, out, said } = compact(window, session.bytes);
	const wellRead = session.status;
	runs++;
	if (status === 1 && !extra.includes('--best-effort') && !/it is still time/.test(said)) {
		refusals++;
		if (out !== '') faults.push('budget: refused, and something was written');
		const named = least(said);
		if (!(named > window)) return [...faults, `budget: refused, and the least is ${named}: ${said.slice(0, 200)}`];
		const enough = compact(named, session.bytes), short = compact(named - 1, session.bytes);
		if (enough.status !== wellRead && !/it is still time/.test(enough.said)) faults.push(`budget: ${named} is the least, and with ${named} the status is ${enough.status}: ${enough.said.slice(0, 100)}`);
		if (short.status !== 1 || least(short.said) !== named) faults.push(`budget: ${named} is the least, and with one less the status is ${short.status}, the least ${least(short.said)}`);
		return faults;
	}
	if (status !== wellRead && status !== 1) return [`status ${status}: ${said.slice(0, 300)}`];
	const { used, weights } = weigh(out, estimator);
	if (status !== 1 && used > window) faults.push(`budget: ${used} of ${window} used, and the status is ${status}`);
	if (used > session.used) faults.push(`growth: ${session.used} tokens became ${used}`);
	const again = compact(window, out);
	if (again.out !== out) faults.push(`identity: a second run changed something, status ${again.status}`);
	if (out === session.bytes) return faults;
	changes++;
	const list = plan.list;
	return [...faults, ...check(session.stream, readStream(out), {
		room: window, target: extra.includes('100%') ? window : extra.includes('1') && extra.includes('--target') ? 1 : Math.floor(window * (plan.name === 'tokens' ? 0.75 : 0.5)), window: windowOf(plan, extra),
		drops: list.includes('truncate') || list.includes('summarize') || list.includes('symbolize'),
		summarizes: list.includes('summarize') || list.includes('symbolize'),
		oldestFirst: !extra.includes('--best-effort') && list.includes('truncate') && !list.includes('summarize') && !list.includes('symbolize'),
		bestEffort: extra.includes('--best-effort'),
	}, session.weights, weights)];
};

for (const file of files) {
	const name = file.split('/').at(-1);
	const bytes = tagged(bytesOf(file)), stream = readStream(bytes);
	if (stream.messages.length === 0) continue;
	const sessions = ['bytes/4', 'o200k_base'].map(estimator => ({ name, bytes, stream, estimator, status: run('ctx-compact', ['--window', '100M'], bytes).status, ...weigh(bytes, estimator) }));
	for (const [p, plan] of plans.entries())
		for (const [e, extra] of extras.entries())
			for (const at of [200, ...shares]) {
				const session = sessions[at === 0.3 || at === 1 ? 1 : 0];
				const key = hash(`${name} ${p} ${e} ${at}`);
				if (key % parts !== mine - 1 || hash(`share ${key}`) / 4294967296 >= Number(share)) continue;
				const window = at > 2 ? at : Math.max(2, Math.ceil(session.used * at));
				for (const fault of judge(session, plan, extra, window)) {
					faulty++;
					console.log(`${fault}\n    ctx-compact ${[...plan.args, ...extra, '--estimator', session.estimator, ...limits(window)].map(arg => arg || "''").join(' ')} ${file}`);
				}
			}
}
console.log(`${runs} compactions, ${changes} changed something, ${refusals} refused, ${faulty} faults`);
process.exit(faulty > 0 || runs === 0 ? 1 : 0);
