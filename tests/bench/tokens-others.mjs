// Counts the files, in records of 4 KB, with the tokenizers of npm that were installed in MODULES:
//     node tokens-others.mjs MODULES FILE...
// A line is "FILE TOOL tokens seconds", of CPU time, for the first time that the tool sees the text;
// of tiktoken, which is the measure, for the second time, when its code is warm.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, ...files] = process.argv.slice(2);
const require = createRequire(resolve(modules, 'package.json'));

const tiktoken = () => {
	const encoding = require('tiktoken').get_encoding('o200k_base');
	return text => encoding.encode_ordinary(text).length;
};
const gpt_tokenizer = () => {
	const { countTokens } = require('gpt-tokenizer/encoding/o200k_base');
	return text => countTokens(text, { disallowedSpecial: new Set() });
};
const ai_tokenizer = () => {
	const { default: Tokenizer } = require('ai-tokenizer');
	const tokenizer = new Tokenizer(require('ai-tokenizer/encoding/o200k_base'));
	return text => tokenizer.count(text);
};

function records(bytes) {
	const all = [];
	for (let at = 0, end; at < bytes.length; at = end) {
		end = Math.min(at + 4096, bytes.length);
		while (end < bytes.length && (bytes[end] & 0xc0) === 0x80)
			end++;
		all.push(bytes.subarray(at, end).toString());
	}
	return all;
}

const tool = { tiktoken, 'gpt-tokenizer': gpt_tokenizer, 'ai-tokenizer': ai_tokenizer }[process.env.TOOL];
for (const file of files) {
	const texts = records(readFileSync(file));
	const count = tool();
	let tokens = 0, start;
	for (let pass = tool === tiktoken ? 0 : 1; pass < 2; pass++) {
		tokens = 0;
		start = process.cpuUsage();
		for (const text of texts)
			tokens += count(text);
	}
	const { user, system } = process.cpuUsage(start);
	console.log(`${file} ${process.env.TOOL} ${tokens} ${((user + system) / 1e6).toFixed(4)}`);
}
