// Sessions made by chance, the same for the same seed. Lines are JSON as JSON.stringify writes it.

import { chance, pick } from './run.mjs';

const words = 'the lamp of the quay is lit again tide water wick oil rope anchor chart gauge depth buoy mole pier keel'.split(' ');

// About so many bytes of words.
export const prose = (random, bytes) => {
	let text = pick(random, words);
	while (text.length < bytes) text += ` ${pick(random, words)}`;
	return text;
};

const argumentsFor = (random, size) => {
	const name = pick(random, ['read', 'edit', 'bash', 'look', 'look']);
	if (name === 'bash') return [name, { command: `make part_${Math.floor(random() * 9)}` }];
	if (name === 'read') return [name, { path: `src/${pick(random, words)}.c` }];
	if (name === 'edit') return [name, { path: `src/${pick(random, words)}.c`, old: pick(random, words), new: 'x' }];
	return [name, { at: Math.floor(random() * 1e6), text: prose(random, size) }];
};

// A call message and its results. how: { calls, size, failing, long, unanswered, id, meta }.
export const group = (random, how) => {
	const calls = [], results = [];
	for (let i = 0; i < how.calls; i++) {
		const [name, args] = how.args?.[i] ?? argumentsFor(random, random() < 0.3 ? how.long : 20);
		const id = how.id ?? `c${Math.floor(random() * 1e9)}`;
		calls.push({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
		if (how.unanswered && i === how.calls - 1) continue;
		const failing = how.failing?.(i) ?? false;
		const metadata = { ...(failing ? { is_error: true } : {}), ...how.meta?.(i) };
		results.push({ role: 'tool', tool_call_id: id, content: failing ? `error: ${prose(random, Math.min(how.size(i), 1500))}` : prose(random, how.size(i)),
			...(Object.keys(metadata).length > 0 ? { metadata } : {}) });
	}
	return [{ role: 'assistant', content: random() < 0.5 ? null : prose(random, 40), tool_calls: calls }, ...results];
};

// At most so many groups, and messages of the user and the assistant between them.
export const small = (seed, most = 8) => {
	const random = chance(seed), messages = [];
	const sizes = [10, 100, 100, 600, 3000, 9000];
	const rule = seed % 3 === 0 ? n => `. Never touch ${words[n % words.length]} ${n} of the harbour.` : () => '';
	if (random() < 0.6) messages.push({ role: 'system', content: prose(random, 60) });
	if (random() < 0.95) messages.push({ role: 'user', content: prose(random, 80) });
	if (random() < 0.3) messages.push({ role: 'user', content: prose(random, 30) });
	const groups = 1 + Math.floor(random() * most);
	for (let i = 0; i < groups; i++) {
		const pinned = random() < 0.06, critical = !pinned && random() < 0.06;
		const mark = list => list.map((message, n) => n === 0 && (pinned || critical) ?
			{ ...message, metadata: { ...(pinned ? { pinned: true } : { critical: true }) } } : message);
		const fails = random() < 0.25, size = pick(random, sizes);
		messages.push(...mark(group(random, { calls: random() < 0.3 ? 2 + Math.floor(random() * 2) : 1, long: pick(random, [30, 900, 4000]),
			size: () => pick(random, [size, pick(random, sizes)]), failing: n => fails && n === 0,
			unanswered: i === groups - 1 && random() < 0.15, id: random() < 0.1 ? 'same' : undefined })));
		if (random() < 0.3) messages.push({ role: 'assistant', content: prose(random, pick(random, [20, 200, 3000])) });
		if (random() < 0.3) messages.push({ role: 'user', content: prose(random, pick(random, [20, 200, 3000])) + rule(i) });
	}
	return messages.map(message => JSON.stringify(message) + '\n').join('');
};
