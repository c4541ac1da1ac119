// Compares tests/tokens/count with npm tiktoken (the wasm one), text by text:
//     node check.mjs COUNT MODULES [TRANSCRIPTS]
// COUNT is the program, MODULES a directory with node_modules/tiktoken, TRANSCRIPTS a directory of
// .json and .jsonl files of which every string, names too, is counted.

import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { giants, torture } from './torture.mjs';

const [count, modules, transcripts] = process.argv.slice(2);
const { get_encoding } = createRequire(resolve(modules, 'package.json'))('tiktoken');

// The published tokenizer takes quadratic time on such a piece.
const TOO_LONG = /[^\s\p{N}]{1600}|\s{1600}/u;

function add_strings(value, strings) {
	if (typeof value === 'string') {
		strings.add(value.toWellFormed());
	} else if (value !== null && typeof value === 'object') {
		for (const [name, member] of Object.entries(value)) {
			strings.add(name.toWellFormed());
			add_strings(member, strings);
		}
	}
}

function add_lines(text, strings) {
	for (const line of text.split('\n')) {
		try {
			add_strings(JSON.parse(line), strings);
		} catch {
			strings.add(line);
		}
	}
}

function* transcript_strings(directory) {
	const strings = new Set();
	for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile())
			continue;
		const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8');
		try {
			add_strings(JSON.parse(text), strings);
		} catch {
			add_lines(text, strings);
		}
	}
	for (const text of strings)
		yield ['transcripts', text];
}

function* all() {
	yield* torture();
	if (transcripts !== undefined && existsSync(transcripts))
		yield* transcript_strings(transcripts);
}

// Our counts, one number a text.
function counts(encoding, texts, directory) {
	const file = join(directory, 'texts');
	const fd = openSync(file, 'w');
	for (const text of texts) {
		const bytes = Buffer.from(text), frame = Buffer.alloc(4);
		frame.writeUInt32LE(bytes.length);
		writeSync(fd, Buffer.concat([frame, bytes]));
	}
	closeSync(fd);
	const input = openSync(file, 'r');
	const output = execFileSync(count, [encoding], { stdio: [input, 'pipe', 'inherit'], maxBuffer: 1 << 30 });
	closeSync(input);
	return output.toString().split('\n').slice(0, -1).map(Number);
}

function compare(encoding, directory) {
	const oracle = get_encoding(encoding);
	const texts = [...all()];
	const ours = counts(encoding, texts.map(([, text]) => text), directory);
	const seen = {};
	let differ = 0, bytes = 0, tokens = 0;
	if (ours.length !== texts.length)
		throw new Error(`${ours.length} counts of ${texts.length} texts`);
	texts.forEach(([group, text], i) => {
		seen[group] ??= { texts: 0, alone: 0 };
		if (group === 'transcripts' && TOO_LONG.test(text)) {
			seen[group].alone++;
			return;
		}
		const expected = oracle.encode_ordinary(text).length;
		seen[group].texts++;
		bytes += Buffer.byteLength(text);
		tokens += expected;
		if (expected !== ours[i] && differ++ < 20)
			console.log(`${encoding} ${group}: ${expected} expected, ${ours[i]} counted: ${JSON.stringify(text.slice(0, 200))}`);
	});
	for (const [group, { texts: n, alone }] of Object.entries(seen))
		console.log(`${encoding} ${group}: ${n} texts${alone ? `, ${alone} too long for the oracle` : ''}`);
	const long = [...giants()];
	if (counts(encoding, long, directory).length !== long.length)
		throw new Error('giants are not counted');
	console.log(`${encoding}: ${differ} differences in ${texts.length} texts, ${bytes} bytes, ${tokens} tokens; ${long.length} giants agree`);
	oracle.free();
	return differ;
}

const directory = mkdtempSync(join(tmpdir(), 'check-tokens-'));
let differ = 0;
try {
	for (const encoding of ['o200k_base', 'cl100k_base'])
		differ += compare(encoding, directory);
} finally {
	rmSync(directory, { recursive: true });
}
process.exit(differ === 0 ? 0 : 1);
