// The commands, and files to run them on.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const work = mkdtempSync(join(tmpdir(), 'ctx-recall.'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const bin = resolve(process.env.CTX_BIN ?? 'build/bin');

// Runs a command in the scratch directory: { status, stdout, stderr }.
export const run = (command, args) => spawnSync(join(bin, command), args,
	{ encoding: 'utf8', maxBuffer: 1 << 30, cwd: work });

export const write = (name, records) => {
	writeFileSync(join(work, name), records.map(record => JSON.stringify(record) + '\n').join(''));
	return name;
};

export const parseLines = text => text.split('\n').filter(line => line !== '').map(line => JSON.parse(line));

// The tokens that a request of the file has, with prompt and tools.
export const tokensOf = file => {
	const report = JSON.parse(run('ctx-budget', ['--json', file]).stdout || '{}');
	return (report.used_tokens ?? 0) + (report.reserved_system_tokens ?? 0);
};
