// recall-rules.mjs: how many rules are in the text after two, four and eight compactions in a row, with four
// turns between. A session has one rule of the user, in one of many wordings that forbid something, amid other
// words. Ends with 1 where 80, 70 or 50 % are not. No file is read, and the same sessions are made each time.

import { parseLines, run, write } from './recall-run.mjs';

const LEAST = { 2: 80, 4: 70, 8: 50 };

// DO is what is forbidden, DOING the same as a noun.
const templates = [
	'You must not DO.',
	'You must never DO.',
	'Never DO.',
	'Do not DO.',
	'Don\'t DO under any circumstances.',
	'Under no circumstances should you DO.',
	'Under no circumstances DO.',
	'It is forbidden to DO.',
	'It is strictly forbidden to DO.',
	'It is prohibited to DO.',
	'You are prohibited from DOING.',
	'You are forbidden from DOING.',
	'You are not allowed to DO.',
	'You are not permitted to DO.',
	'You may not DO.',
	'You cannot DO.',
	'You should never DO.',
	'You should not DO.',
	'Refrain from DOING.',
	'Please refrain from DOING.',
	'Avoid DOING at all costs.',
	'Abstain from DOING.',
	'DOING is forbidden.',
	'DOING is not allowed.',
	'DOING is strictly prohibited.',
	'DOING is off limits.',
	'DOING is not permitted here.',
	'DOING is banned.',
	'DOING is out of the question.',
	'DOING is unacceptable.',
	'Make sure you never DO.',
	'Make sure not to DO.',
	'Ensure that you do not DO.',
	'Be sure not to DO.',
	'Take care not to DO.',
	'Be careful not to DO.',
	'At no point should you DO.',
	'By no means DO.',
	'On no account should you DO.',
	'In no case DO.',
	'You shall not DO.',
	'I don\'t want you to DO.',
	'I do not want you to DO.',
	'I want you to never DO.',
	'I\'d rather you did not DO.',
	'I forbid you to DO.',
	'I need you to avoid DOING.',
	'Please don\'t DO.',
	'Please do not DO, ever.',
	'Kindly do not DO.',
	'Stop DOING.',
	'No DOING.',
	'No DOING, please.',
	'There must be no DOING.',
	'There should be no DOING.',
	'There is to be no DOING.',
	'You have no permission to DO.',
	'You do not have permission to DO.',
	'You are not authorized to DO.',
	'You lack the authority to DO.',
	'You have to refrain from DOING.',
	'You need to avoid DOING.',
	'You are required to refrain from DOING.',
	'Whatever you do, do not DO.',
	'Whatever happens, never DO.',
	'Remember: do not DO.',
	'Remember never to DO.',
	'Important: do not DO.',
	'IMPORTANT: NEVER DO',
	'CRITICAL: you must not DO.',
	'Rule: do not DO.',
	'Constraint: DOING is forbidden.',
	'As a hard rule, do not DO.',
	'From now on, do not DO.',
	'Going forward, avoid DOING.',
	'During this task, do not DO.',
	'For the rest of this session, do not DO.',
	'Throughout this session you must not DO.',
	'While working on this, never DO.',
	'In this project we never DO.',
	'Our policy forbids DOING.',
	'Company policy prohibits DOING.',
	'Policy does not allow DOING.',
	'It is against our policy to DO.',
	'It\'s not okay to DO.',
	'It is not acceptable to DO.',
	'It is unacceptable to DO.',
	'We can\'t allow DOING.',
	'We do not allow DOING.',
	'We never DO here.',
	'Nobody may DO.',
	'No one is allowed to DO.',
	'Nothing justifies DOING.',
	'Unless I say so, do not DO.',
	'Do not DO unless I explicitly ask for it.',
	'Do not DO without my approval.',
	'Without my approval you must not DO.',
	'Only DO if I ask you to.',
	'DO only when I ask for it.',
	'Ask me before you DO.',
	'Steer clear of DOING.',
	'Stay away from DOING.',
	'Keep away from DOING.',
	'Resist the urge to DO.',
	'Don\'t even think about DOING.',
	'Don\'t you ever DO.',
	'DOING must be avoided.',
	'DOING should be avoided.',
	'DOING has to be avoided.',
	'DOING is something you must not do.',
	'The one thing you must not do is DO.',
	'It is essential that you do not DO.',
	'It is important not to DO.',
	'It\'s crucial that you never DO.',
	'Under no condition may you DO.',
	'You are explicitly told not to DO.',
	'You\'re not to DO.',
	'You will not DO.',
	'Let\'s not DO.',
	'Leave out DOING.',
	'Desist from DOING.',
	'Cease DOING.',
];

const acts = [['delete the archive folder', 'deleting the archive folder'], ['push to the trunk', 'pushing to the trunk'],
	['open network connections', 'opening network connections'], ['modify the billing schema', 'modifying the billing schema'],
	['run the full test suite', 'running the full test suite'], ['install new packages', 'installing new packages'],
	['print customer names', 'printing customer names']];

const words = 'harbour gauge lamp tide buoy quay mole wind boat chart rope anchor signal depth float crane ferry'.split(' ');
let state = 7;
const word = () => words[((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) >> 8) % words.length];
const prose = count => Array.from({ length: count }, (_, i) => word() + (i % 9 === 8 ? '.' : '')).join(' ');

const user = content => ({ role: 'user', content });
const says = content => ({ role: 'assistant', content });
let calls = 0;
const step = () => {
	const id = `c${++calls}`, [name, args] = calls % 2 === 0 ? ['read', { path: `src/${word()}${calls}.c` }] : ['bash', { command: `grep ${word()} logs/${calls}` }];
	return [{ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] },
		{ role: 'tool', tool_call_id: id, content: prose(180) }];
};
const turn = () => [user(`Now look at the ${word()}: ${prose(150)}`), ...Array.from({ length: 5 }, step).flat(), says(`I found that the ${prose(30)}`)];

const ruleOf = (template, [act, acting]) => {
	const rule = template.replace('DOING', acting).replace('DO', act);
	return rule[0].toUpperCase() + rule.slice(1);
};

const left = { 2: 0, 4: 0, 8: 0 };
templates.forEach((template, index) => {
	const rule = ruleOf(template, acts[index % acts.length]);
	let log = [{ role: 'system', content: 'You work in the harbour.' }, user('Please mend the gauge of the harbour.'), says('I begin.'),
		user(`The ${prose(80)}. ${rule} The ${prose(80)}.`), says('Understood.')];
	for (let pass = 1; pass <= 8; pass++) {
		const file = write('rules.jsonl', [...log, ...Array.from({ length: 4 }, turn).flat()]);
		log = parseLines(run('ctx-compact', ['--limit', '4k', '--target', '1500', file]).stdout);
		if (pass in left) left[pass] += log.some(record => String(record.content).replace(/\s+/g, ' ').includes(rule));
	}
});

console.log('\nrules in the text    least   after compactions');
for (const pass of Object.keys(LEAST)) {
	const share = Math.round(left[pass] * 100 / templates.length);
	console.log(`${String(share).padStart(15)} % ${String(LEAST[pass]).padStart(7)} ${pass.padStart(9)}`);
	if (share < LEAST[pass]) process.exitCode = 1;
}
