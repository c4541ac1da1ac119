// body.mjs AGENT DIR: prints the request body in DIR that holds the conversation: of those with the new prompt, the one
// with most messages that are not the client's own. Ends with 1 when there is none.

import { readFileSync, readdirSync } from 'node:fs';
import { PROMPT, neutral } from './neutral.mjs';

const [agent, dir] = process.argv.slice(2);
let best, most = 0;
for (const name of readdirSync(dir).sort()) {
	const body = readFileSync(`${dir}/${name}`, 'utf8');
	if (!body.includes(PROMPT)) continue;
	let n;
	try { n = neutral(agent, body).filter((line) => !line.client).length; } catch { continue; }
	if (n > most) [most, best] = [n, body];
}
if (best) console.log(best);
else process.exitCode = 1;
