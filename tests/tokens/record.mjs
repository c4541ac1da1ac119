// Writes the recorded sample of tests/tokens.bats: texts as JSON strings, one a line, and their counts
// by npm tiktoken (o200k_base, cl100k_base), one line each:
//     node record.mjs MODULES TEXTS.jsonl COUNTS.tsv

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { torture } from './torture.mjs';

const EVERY = { codePoints: 700, classes: 2500, contractions: 90, digits: 40, blanks: 400, runs: 60, scripts: 250,
	words: 500, bytes: 300, escapes: 8, soup: 900, letters: 60 };
const OWN = [
	'', ' ', 'Hello, world!', 'The quick brown fox doesn\'t jump over 1,234,567 lazy dogs.\n',
	'static int\nmain(int argc, char **argv)\n{\n\treturn argc > 1 ? run(argv[1]) : 64;\n}\n',
	'{"role":"tool","tool_call_id":"call_8f14e45f","content":"exit status 1\\n3 passed, 1 failed\\n"}',
	'東京都の天気は晴れ、最高気温は25℃です。', '안녕하세요, 반갑습니다!', 'Привет, как дела?', 'مرحبا بالعالم', 'नमस्ते दुनिया',
	'👩‍👩‍👧‍👦🇩🇪👍🏽', '<|endoftext|><|im_start|>user', 'e\u0301\u0301x', '\ufeffBOM\u0085NEL\u00a0NBSP', '  \n \n\t\tx  ',
];

const [modules, texts, table] = process.argv.slice(2);
const { get_encoding } = createRequire(resolve(modules, 'package.json'))('tiktoken');
const encodings = ['o200k_base', 'cl100k_base'].map(name => get_encoding(name));
const seen = {};
const sample = [...OWN];
for (const [group, text] of torture()) {
	seen[group] = (seen[group] ?? 0) + 1;
	if (seen[group] % EVERY[group] === 0)
		sample.push(text);
}
writeFileSync(texts, sample.map(text => JSON.stringify(text) + '\n').join(''));
writeFileSync(table, sample.map(text => encodings.map(e => e.encode_ordinary(text).length).join('\t') + '\n').join(''));
