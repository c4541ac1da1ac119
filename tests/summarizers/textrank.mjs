// A summarizer without a model: the sentences of a log that have the most words in common with the others
// (TextRank), in their order, as many as CTX_SUMMARY_TOKENS has room for:
//     ctx-compact --summarizer-input jsonl --summarizer 'node textrank.mjs MODULES' log.jsonl
// MODULES is a directory with node_modules/ts-textrank.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const require = createRequire(resolve(process.argv[2], 'package.json'));
const { AbsoluteSummarizerConfig, DefaultTextParser, NullLogger, SorensenDiceSimilarity, Summarizer } = require('ts-textrank');

// Each sentence is compared with each other one.
const NEWEST = 400, LONGEST = 300;
const BYTES_PER_TOKEN = 2;

// Of an earlier summary only the sentences, and nothing that stands beside them.
function* texts({ content, metadata }) {
	if (metadata?.kind === 'summary')
		yield metadata.facts?.text ?? '';
	else if (typeof content === 'string')
		yield content;
	else if (Array.isArray(content))
		yield* content.map(part => part.text).filter(text => typeof text === 'string');
}

const parser = new DefaultTextParser();
const plain = text => text.replace(/^- /gm, '');
const records = readFileSync(0, 'utf8').split('\n').filter(line => line !== '').map(line => JSON.parse(line));
const text = records.filter(({ role }) => role !== 'tool').flatMap(record => [...texts(record)].map(plain)).join('\n');
const sentences = parser.parse(text, 'en').sentences.map(({ raw }) => raw)
	.filter(raw => raw.length <= LONGEST).slice(-NEWEST);
const config = new AbsoluteSummarizerConfig(NEWEST, new SorensenDiceSimilarity(), parser, .85, Summarizer.SORT_SCORE);

let room = Number(process.env.CTX_SUMMARY_TOKENS) * BYTES_PER_TOKEN;
const chosen = new Set(new Summarizer(config, new NullLogger()).summarize(sentences.join('\n'), 'en')
	.filter(raw => (room -= Buffer.byteLength(raw) + 3) >= 0));
console.log(sentences.filter(raw => chosen.has(raw)).map(raw => `- ${raw}`).join('\n'));
