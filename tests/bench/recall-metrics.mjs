// What can be asked of a compacted session, and whether a text answers it.

const EXTENSIONS = 'c|h|cc|cpp|hpp|cs|css|csv|go|html|ini|java|js|json|jsonl|jsx|kt|lock|log|lua|md|mjs|php|pl|py|rb|rs|rst|scss|sh|sql|svg|swift|tcl|toml|ts|tsv|tsx|txt|vue|xml|yaml|yml|zig';
const NAME = new RegExp([
	String.raw`(?:~|\.{1,2})?/?(?:[\w.@+-]+/)+[\w.@+-]*\w`,   // a path with a slash
	String.raw`/[\w.@+-]+(?:/[\w.@+-]+)+`,
	String.raw`[\w@+-][\w.@+-]*\.(?:${EXTENSIONS})\b`,          // or with a known extension
	String.raw`--[a-z][\w-]+`,
	String.raw`[A-Za-z]\w*(?:\.[A-Za-z_]\w*)+`,               // dotted
	String.raw`_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+`,    // snake_case
	String.raw`[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+`,         // camelCase
	String.raw`(?:[A-Z][a-z0-9]+){2,}`,                        // PascalCase
	String.raw`v?\d+(?:\.\d+)+`,
	String.raw`[0-9a-f]{7,40}\b`,
	String.raw`\b[A-Z]{1,6}\d{2,}\b`,                          // error codes
	String.raw`\d{3,}`,
].join('|'), 'g');

export const names = text => new Set((text.match(NAME) ?? []).filter(name =>
	(name.length >= 4 && name.length <= 120 && /[A-Za-z]/.test(name)) || /^v?[\d.]{3,}$/.test(name)));

const plain = text => text.replace(/\s+/g, ' ').trim();
const strings = value => typeof value === 'string' ? [value] :
	value !== null && typeof value === 'object' ? Object.values(value).flatMap(strings) : [];
const argumentsOf = call => { try { return JSON.parse(call.function.arguments); } catch { return {}; } };

export const contentOf = record => typeof record.content === 'string' ? record.content :
	Array.isArray(record.content) ? record.content.map(part => part?.text ?? '').join('\n') : '';

const callsOf = record => (record.tool_calls ?? []).filter(call => call.function);
const callsText = record => callsOf(record).map(call =>
	[call.function.name, call.function.arguments, ...strings(argumentsOf(call))].join('\n')).join('\n');

const isInjected = record => ['injected', 'summary'].includes(record.metadata?.origin) || record.metadata?.kind !== undefined;
export const isUser = record => record.role === 'user' && !isInjected(record);

// All that a model reads of the records, as { text, directories }.
export const visible = records => {
	const text = records.map(record => contentOf(record) + '\n' + callsText(record) +
		(record.type === 'context' ? strings(record).join('\n') : '')).join('\n');
	return { text: plain(text), directories: [...text.matchAll(/^Directory: (.+)$/gm)].map(match => match[1].replace(/\/$/, '') + '/') };
};

const isWord = c => c !== undefined && /\w/.test(c);
const standsWhole = (name, text) => {
	for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
		if (!(isWord(name[0]) && isWord(text[at - 1])) && !(isWord(name.at(-1)) && isWord(text[at + name.length]))) return true;
	return false;
};

// Whether the text has the name; a path may be relative to a directory that the text names.
export const stands = (name, { text, directories }) => standsWhole(name, text) ||
	directories.some(directory => name.startsWith(directory) && standsWhole(name.slice(directory.length), text));

// Whether the text has all of these pieces of texts, which may begin and end within a word.
// A rule says the same without the tags of its element: "sandbox_mode: read-only".
const untagged = piece => piece.replace(/^<([\w-]+)>(.*)<\/\1>$/, '$1: $2');
export const quotes = (pieces, { text }) => [pieces].flat().every(piece => text.includes(piece) || text.includes(untagged(piece)));

// The names that the last part writes, in answers, requests and arguments, and that the first part
// had. Far are those that stand neither in prompt or first request nor in the last six messages.
export const futureNames = (first, last) => {
	const had = names(first.map(record => contentOf(record) + '\n' + callsText(record)).join('\n'));
	const used = names(last.filter(record => isUser(record) || record.role === 'assistant')
		.map(record => (isUser(record) || record.role === 'assistant' ? contentOf(record) : '') + '\n' + callsText(record)).join('\n'));
	const near = visible([...first.filter(record => ['system', 'developer'].includes(record.role) || record.type === 'context'),
		...first.filter(isUser).slice(0, 1), ...first.slice(-6)]);
	const future = [...used].filter(name => had.has(name));
	return { future, far: future.filter(name => !stands(name, near)) };
};

// What the user wrote, in runs of eight words.
export const userChunks = first => first.filter(isUser).flatMap(record => {
	const words = plain(contentOf(record)).split(' ').filter(word => word !== '');
	return Array.from({ length: Math.ceil(words.length / 8) }, (_, i) => words.slice(i * 8, i * 8 + 8).join(' '));
});

const OBLIGES = /\b(must(n't)?|never|do not|don['’]t|always|only|shall|required|forbidden|not allowed|under no circumstances|make sure|avoid)\b/i;

export const sentences = text => text.split(/(?<=[.!?])\s+|\n+/).map(plain).filter(sentence => sentence.length >= 8);

// Sentences that forbid or oblige, of the user, of system and developer messages, and injected ones.
export const constraints = first => [...new Set(first.filter(record => ['user', 'system', 'developer'].includes(record.role) &&
	record.metadata?.kind === undefined)
	.flatMap(record => sentences(contentOf(record)))
	.filter(sentence => sentence.length >= 12 && sentence.length <= 300 && OBLIGES.test(sentence)))];

const canonical = value => Array.isArray(value) ? value.map(canonical) : value !== null && typeof value === 'object' ?
	Object.fromEntries(Object.keys(value).sort().map(key => [key, canonical(value[key])])) : value;
const keyOf = call => call.function.name + JSON.stringify(canonical(argumentsOf(call)));
const pathOf = call => { const a = argumentsOf(call); return a.file_path ?? a.path ?? a.filename ?? a.notebook_path ?? ''; };
const isEdit = call => /edit|write|create|replace|insert|patch/i.test(call.function.name) && !['view', 'undo_edit'].includes(argumentsOf(call).command);

// The calls with their results, in the order of the results.
const attempts = first => {
	const open = new Map(), list = [];
	for (const record of first) {
		for (const call of callsOf(record)) open.set(call.id, [...(open.get(call.id) ?? []), call]);
		const call = record.role === 'tool' ? open.get(record.tool_call_id)?.shift() : undefined;
		if (call) list.push({ call, text: contentOf(record), failed: record.metadata?.is_error === true });
	}
	return list;
};

const isRejection = text => /doesn't want to|rejected|interrupted by user/i.test(text);
const isNothingFound = ({ call, text }) => /\b(grep|rg|pgrep|which)\b/.test(call.function.arguments) &&
	/^(\(no output\))?\s*((Command exited with|Exit) code 1)?\s*$/.test(text);
const errorLine = text => {
	const all = text.split('\n').map(plain).filter(line => line !== '');
	return (all.find(line => /error|fail|exception|fatal|not found|denied|no such/i.test(line)) ?? all[0] ?? '').slice(0, 80);
};
const commandOf = call => plain(argumentsOf(call).command?.at?.(-1)?.length > 1 ? argumentsOf(call).command.at(-1) :
	strings(argumentsOf(call))[0] ?? call.function.name).slice(0, 60);

// The failures that no later call made good, one a call key: the command and the line of the error.
export const failures = first => {
	const open = new Map();
	for (const attempt of attempts(first)) {
		const { call, text, failed } = attempt;
		if (failed && !isRejection(text) && !isNothingFound(attempt)) open.set(keyOf(call), attempt);
		if (failed) continue;
		open.delete(keyOf(call));
		for (const [key, other] of open)
			if (pathOf(call) !== '' && pathOf(other.call) === pathOf(call) && (other.call.function.name === call.function.name || (isEdit(call) && isEdit(other.call))))
				open.delete(key);
	}
	return [...open.values()].map(({ call, text }) => [commandOf(call), errorLine(text)].filter(one => one !== ''));
};

// The files that succeeding edits named.
export const modifiedFiles = first => [...new Set(attempts(first).filter(({ call, failed }) => !failed && isEdit(call))
	.map(({ call }) => pathOf(call)).filter(path => path !== ''))];
