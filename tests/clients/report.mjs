// report.mjs FILES ROOT... RESULTS: the lines of check.mjs as a table; there must be one for each of FILES files. ROOTs
// are left out of the names. Ends with 1 when a file failed.

import { readFileSync } from 'node:fs';
import { known } from './differences.mjs';
import { lines } from './neutral.mjs';

const [files, ...roots] = process.argv.slice(2), results = lines(readFileSync(roots.pop(), 'utf8'));
const named = ({ agent, file }) => `${agent} ${roots.reduce((name, root) => name.startsWith(root) ? name.slice(root.length) : name, file ?? '')}`.trim();
const sum = (list, key) => list.reduce((n, result) => n + (result[key] ?? 0), 0);
const of = (list, ...verdicts) => list.filter((result) => verdicts.includes(result.verdict));
const isMade = (result) => /(made|written)-/.test(result.file);

const columns = ['files', 'unloaded', 'messages', 'equal', 'missing', 'added', 'known', 'failed'];
const row = (name, values) => console.log(name.padEnd(12) + values.map((value) => String(value).padStart(9)).join(''));
row('', columns);
for (const agent of new Set(results.map((result) => result.agent))) {
	const list = results.filter((result) => result.agent === agent && result.file);
	row(agent, [list.length, of(list, 'unloaded').length, ...columns.slice(2, 6).map((key) => sum(list, key)), of(list, 'known').length, of(list, 'different').length]);
}
for (const { agent, name, right, reason } of known) {
	const list = results.filter((result) => result.rows?.includes(name) && (!agent || result.agent === agent));
	if (list.length) console.log(`known: ${agent ?? 'any'}, ${name}: ${list.length} files, ${sum(list, 'messages')} messages; right: ${right}; ${reason}`);
}
for (const agent of new Set(results.map((result) => result.agent))) {
	const list = results.filter((result) => result.agent === agent && result.doctor).map((result) => result.doctor);
	if (list.length) console.log(`doctor: ${agent}: ${sum(list, 'reached')} of ${sum(list, 'messages')} messages reached in ${list.length} files, as sent; ${list.filter((one) => one.said.length).length} differ`);
	for (const result of results.filter((one) => one.agent === agent && one.doctor?.said.length)) console.log([`doctor: differs: ${named(result)}`, ...result.doctor.said.slice(0, 2)].join('\n    '));
}
const unloaded = new Map();
for (const result of of(results, 'unloaded').filter((one) => !isMade(one))) {
	const why = `${result.agent}: ${result.said[0]}`;
	unloaded.set(why, [...unloaded.get(why) ?? [], named(result)]);
}
for (const [why, names] of unloaded) console.log([`unloaded: ${names.length} files, ${why}`, ...names].join('\n    '));
for (const result of of(results, 'absent')) console.log(`skipped: ${named(result)}: ${result.said[0]}`);
const failed = results.filter((result) => result.verdict === 'different' || result.verdict === 'unloaded' && isMade(result));
for (const result of failed) console.log([`not ok - ${named(result)}`, ...result.said.slice(0, 12)].join('\n    '));
const lost = Number(files) - results.filter((result) => result.file).length;
if (lost) console.log(`not ok - ${lost} files have no result`);
console.log(`${of(results, 'equal', 'known').length} passed, ${failed.length + lost} failed, ${of(results, 'absent').length} skipped`);
process.exitCode = failed.length + lost ? 1 : 0;
