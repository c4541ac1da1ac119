// onward.mjs AGENT SESSION BODY LOG LEFT ROUNDS: of a SESSION that is the LOG, whether the BODY that the client sent says what
// the LOG says, and whether LEFT, what ctx reads of the session afterwards, is the LOG and the turns of ROUNDS rounds. What the
// client added (instructions, contexts, its turns) is left out of the comparison. Prints what differs; ends with 1 then.

import { readFileSync } from 'node:fs';
import { compare } from './compare.mjs';
import { PROMPT, neutral } from './neutral.mjs';

const [agent, session, body, log, left, rounds] = process.argv.slice(2), text = (path) => readFileSync(path, 'utf8');
const bare = ({ text }) => text.replace(/^"|"$/g, '');
const isTalk = (line) => line.role !== 'system' && !/^<(session|environment)_context>/.test(line.text);
const isTurn = (line) => bare(line) === PROMPT || line.role === 'assistant' && line.text === 'ok';
const own = (list) => list.filter((line) => isTalk(line) && !isTurn(line))
	.map((line) => ({ ...line, results: line.results.map(({ error, ...result }) => agent === 'codex' ? result : { ...result, error }) }));   // codex has no place for it

const want = own(neutral('ctx', text(log))), after = neutral('ctx', text(left));
const said = [
	...compare(own(neutral(agent, text(body), session)), want).said.map((what) => `sent: ${what}`),
	...compare(own(after), want).said.map((what) => `left: ${what}`),
];
const turns = after.filter((line) => isTalk(line) && isTurn(line)).length;
if (turns < 2) said.push(`left: ${turns} messages of ${rounds} turns`);
for (const what of said) console.log(what);
process.exitCode = said.length ? 1 : 0;
