// What is known to differ between what a client sends and what ctx reads, who is right, and why. A row undoes its
// difference, so that nothing else can hide behind it:
//     session     what the client is given in place of the file, from its text; the same text: it does not apply
//     canonical   which of ctx's lines the client has a place for
//     made        the canonical lines that a session was written of
//     sent, read  the neutral lines of the client, and of ctx, that are compared

const values = (text) => text.split('\n').map((line) => { try { return JSON.parse(line); } catch { return line; } });
const text = (list) => list.map((v) => typeof v === 'string' ? v : JSON.stringify(v)).join('\n');
const isRecord = (v) => v && typeof v === 'object' && v.message && v.isSidechain !== true;

// The records of the main conversation as a chain in the order of the file.
const relinked = (list) => {
	let last = null, n = 0;
	return text(list.map((v) => {
		if (typeof v === 'string' || v.isSidechain === true || !(v.message || v.uuid)) return v;
		const uuid = v.uuid ?? `00000000-0000-4000-8002-${String(++n).padStart(12, '0')}`;
		const linked = { ...v, uuid, parentUuid: v.subtype === 'compact_boundary' ? null : last };
		last = uuid;
		return linked;
	}));
};

// A record that hangs on one of progress hangs on the one before it in the file instead.
const besideProgress = (list) => {
	const progress = new Set(list.filter((v) => v.type === 'progress').map((v) => v.uuid));
	let last = null;
	return text(list.map((v) => {
		if (typeof v === 'string' || v.isSidechain === true || !v.uuid || v.type === 'progress') return v;
		const linked = progress.has(v.parentUuid) ? { ...v, parentUuid: last } : v;
		last = v.uuid;
		return linked;
	}));
};

// What the client says in the place of a result without its call, which is nothing where other text is beside it.
const removed = /^(\[Orphaned tool result removed due to conversation resume\]|\(no content\))$/;
const orphan = /^(\[\{"type":"text","text":)?"\[tool result that answers no call\]/;

// The lines without results whose call is not among them.
const answering = (list) => {
	const calls = new Set(list.flatMap((line) => line.calls.map((call) => call.id)));
	return list.map((line) => ({ ...line, results: line.results.filter((result) => calls.has(result.id)) }));
};

// The lines with the first result of each call.
const answeredOnce = (list) => {
	const seen = new Set();
	return list.map((line) => ({ ...line, results: line.results.filter(({ id }) => !seen.has(id) && seen.add(id)) }));
};

// The results of neighbouring lines in the order of the calls that they answer.
const inOrder = (list) => {
	const place = new Map(), out = [];
	list.forEach((line) => line.calls.forEach((call) => place.set(call.id, place.size)));
	for (const line of list) {
		const last = out[out.length - 1];
		if (line.results.length && last?.results.length && !line.client === !last.client) last.results.push(...line.results);
		else out.push({ ...line, results: [...line.results] });
	}
	out.forEach((line) => line.results.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0)));
	return out;
};

// The call and the result of Codex CLI that say what the others do: one is open at a time.
const written = (v) => typeof v === 'string' ? v : JSON.stringify(v);
const called = {
	tool_call: (p) => ({ type: 'function_call', name: p.function?.name ?? p.name, arguments: written(p.arguments), call_id: 'open' }),
	tool_result: (p) => ({ type: 'function_call_output', call_id: 'open', output: written(p.result) }),
};

// Arguments that are no object, without the object that is put around them.
const bare = (call) => Object.keys(call.arguments ?? {}).join() === 'arguments' && typeof call.arguments.arguments === 'string' ?
	{ ...call, arguments: call.arguments.arguments } : call;

// A text that Gemini CLI takes for a command.
const isCommand = (text) => /^\s*[/?]/.test(text);
const withoutCommands = (line) => Array.isArray(line.content) ?
	{ ...line, content: line.content.filter((part) => part.type !== 'text' || !isCommand(part.text)) } : line;

export const known = [
	{ name: 'first', right: 'both',
		reason: 'a session that begins with an answer: --to anthropic puts a user\'s message before it, which the API asks for',
		read: (list) => list.filter((line) => line.text !== '[earlier messages are left out]') },
	{ name: 'order', right: 'both',
		reason: 'results of parallel calls: ctx writes them in the order of the calls, the clients in that of the file',
		sent: inOrder, read: inOrder },
	{ name: 'arguments', right: 'both',
		reason: 'arguments of a call that are no object: --to anthropic and gemini put one around them, which the APIs ask for',
		sent: (list) => list.map((line) => ({ ...line, calls: line.calls.map(bare) })),
		read: (list) => list.map((line) => ({ ...line, calls: line.calls.map(bare) })) },
	{ agent: 'claude-code', name: 'progress', right: 'ctx',
		reason: 'a prompt that hangs on a record of progress beside the turns: the client leaves out the turns between; hung on the turn before, it loads them',
		session: (file) => { const list = values(file); return list.some((v) => v.type === 'progress') ? besideProgress(list) : file; } },
	{ agent: 'claude-code', name: 'parentless', right: 'ctx',
		reason: 'no record names a parent, as other programs write it: each is a conversation to the client, and it loads the last one alone; in a chain it loads all',
		session: (file) => { const list = values(file); return list.some((v) => isRecord(v) && v.parentUuid) ? file : relinked(list); } },
	{ agent: 'claude-code', name: 'sub-agents', right: 'both',
		reason: 'ctx reads what sub-agents said in the file, marked by agent_id; a resume loads the main conversation',
		canonical: (line) => !line.metadata?.agent_id },
	{ agent: 'claude-code', name: 'API errors', right: 'both',
		reason: 'what the client said of a failed request: ctx reads it with origin error, a resume leaves it out',
		canonical: (line) => line.metadata?.origin !== 'error' },
	{ agent: 'claude-code', name: 'orphans', right: 'both',
		reason: 'a result without its call, which the API refuses: ctx keeps its text as a user\'s, the client leaves it out, and says so where nothing else would stand',
		canonical: (line) => !orphan.test(JSON.stringify(line.content ?? null)),
		sent: (list) => list.filter((line) => !removed.test(line.text)) },
	{ agent: 'pi', name: 'orphans', right: 'ctx',
		reason: 'a result without its call: the client sends it, which the API refuses; ctx keeps its text as a user\'s',
		canonical: (line) => !orphan.test(JSON.stringify(line.content ?? null)),
		sent: answering },
	{ agent: 'codex', name: 'images', right: 'ctx',
		reason: 'an image of a detail that the client\'s model does not take: the client says so in its place',
		sent: (list) => list.map((line) => ({ ...line, text: line.text.replace(/image content omitted because detail .*/, '[image]') })) },
	{ agent: 'codex', name: 'tool_call', right: 'ctx',
		reason: 'items tool_call and tool_result, as no version writes them: ctx reads them, the client passes them over',
		session: (file) => text(values(file).map((v) => v.payload?.type in called ? { ...v, payload: called[v.payload.type](v.payload) } : v)) },
	{ agent: 'gemini-cli', name: 'command', right: 'both',
		reason: 'a text of the user that begins with / or ?, which the client takes for a command and leaves out: --to gemini-cli leaves it out, too, and says so',
		made: (list) => list.filter((line) => line.role !== 'user' || !isCommand(String(line.content))).map((line) => line.role === 'user' ? withoutCommands(line) : line) },
	{ agent: 'gemini-cli', name: 'context', right: 'both',
		reason: 'what the client said of the directory: ctx reads it as injected, the client says that of today in its place',
		canonical: (line) => line.metadata?.origin !== 'injected' || !String(line.content).startsWith('<session_context>') },
	{ agent: 'gemini-cli', name: 'resumed', right: 'ctx',
		reason: 'a session that was resumed has its results several times in the file: the client sends each as often, which the API refuses; ctx reads it once',
		sent: answeredOnce },
	{ agent: 'gemini-cli', name: 'type model', right: 'ctx',
		reason: 'an answer of type model, with its text in parts or content, as old files have it: ctx reads it, the client of today passes it over',
		session: (file) => file.replace(/("type"\s*:\s*)"model"(\s*,\s*"parts"(?=\s*:))?/g,
			(_, type, parts) => `${type}"gemini"${parts ? parts.replace('parts', 'content') : ''}`) },
];
