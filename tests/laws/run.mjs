// The commands, run on files or on bytes.

import { spawnSync } from 'node:child_process';
import { TAG, readStream } from './stream.mjs';

export const run = (command, args, input) => {
	const { status, signal, stdout, stderr } = spawnSync(command, args,
		{ input: input === undefined ? undefined : Buffer.from(input, 'latin1'), maxBuffer: 1 << 30, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
	return { status: signal ?? status, out: stdout.toString('latin1'), said: stderr.toString('utf8') };
};

// The tokens of a stream and of its messages, by tag; that of a message without a tag is under undefined.
export const weigh = (bytes, estimator) => {
	const { out } = run('ctx-budget', ['--annotate', '--estimator', estimator], bytes);
	const { records, messages } = readStream(out);
	const record = records.filter(({ kind }) => kind === 'budget').at(-1)?.value;
	const weights = new Map(messages.map(({ value, metadata }) => [value[TAG], metadata.tokens]));
	return { used: record?.used_tokens ?? 0, weights };
};

// A number that is the same for the same text.
export const hash = text => {
	let h = 2166136261;
	for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619) >>> 0;
	h = Math.imul(h ^ (h >>> 16), 2246822507) >>> 0;
	return (h ^ (h >>> 13)) >>> 0;
};

// Numbers by chance, the same for the same seed: 0 <= n < 1.
export const chance = seed => {
	let state = hash(`seed ${seed}`) | 1;
	return () => {
		state ^= state << 13; state >>>= 0;
		state ^= state >>> 17;
		state ^= state << 5; state >>>= 0;
		return state / 4294967296;
	};
};

export const pick = (random, list) => list[Math.floor(random() * list.length)];
