// What an agent gets back from the archive, with one command for each thing that it misses.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf, quotes, stands } from './recall-metrics.mjs';
import { run, work } from './recall-run.mjs';

const ARCHIVE = 'archive';

export const withoutArchive = () => rmSync(join(work, ARCHIVE), { force: true });
export const archiveOptions = ['--archive', ARCHIVE];

const escape = text => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
const plain = text => text.replace(/\s+/g, ' ').trim();

// The words of a text that are worth a search, the longest first.
const wordsOf = text => [...new Set(text.match(/[A-Za-z_][\w.-]{4,40}/g) ?? [])].sort((a, b) => b.length - a.length);

// The lines of the last part in which the name is used, without the name.
const linesWith = (name, last) => last.flatMap(record => [contentOf(record), ...(record.tool_calls ?? []).map(call => call.function?.arguments ?? '')])
	.flatMap(text => text.split(/\n|\\n/)).filter(line => line.includes(name)).map(line => line.replaceAll(name, ' '));

const answers = new Map();
const search = ere => {
	if (!answers.has(ere)) {
		const { stdout } = run('ctx-recall', ['--search', ere, ARCHIVE]);
		answers.set(ere, { text: plain(stdout), directories: [] });
	}
	return answers.get(ere);
};

export const forgetAnswers = () => answers.clear();

// What an agent that misses the thing would look for, without knowing it: three words that stand
// beside the name where it is used, or of the command, of the sentence, of the file's name.
export const clueOf = (metric, question, last) => {
	const text = ['future', 'far'].includes(metric) ? linesWith(question, last).slice(0, 3).join(' ') : [question].flat()[0];
	return wordsOf(text).slice(0, 3).map(escape).join('|');
};

// Whether one search with these words finds it within --tokens.
export const isFound = (metric, question, clue) =>
	clue !== '' && (['future', 'far', 'modified'].includes(metric) ? stands : quotes)(question, search(clue));
