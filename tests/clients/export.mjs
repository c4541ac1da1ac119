// Sessions as their agent takes them in, of files that hold them in another form:
//     opencode     an export, of a list of messages or the events that its server sent: the last state of each
//                  message and part, in opencode's order, by time and by id, and what today's import wants
//                  in a session of older versions
//     gemini-cli   a session, of one record alone

const slot = (map, key, make) => { if (!map.has(key)) map.set(key, make()); return map.get(key); };

// The messages of a stream of events, of its first session, as {info, parts}.
const played = (events) => {
	const messages = new Map(), parts = new Map();
	for (const { type, properties: p } of events) {
		if (type === 'message.updated') slot(messages, p.info.id, () => ({ parts: new Map() })).info = p.info;
		else if (type === 'message.removed') messages.delete(p.messageID);
		else if (type === 'message.part.updated') slot(parts, p.part.messageID, () => new Map()).set(p.part.id, p.part);
		else if (type === 'message.part.removed') parts.get(p.messageID)?.delete(p.partID);
		else if (type === 'message.part.delta') {
			const part = slot(slot(parts, p.messageID, () => new Map()), p.partID, () => ({ id: p.partID, messageID: p.messageID, sessionID: p.sessionID, type: 'text' }));
			part[p.field] = (part[p.field] ?? '') + p.delta;
		}
	}
	return [...messages].map(([id, m]) => ({ info: m.info, parts: [...parts.get(id)?.values() ?? []] })).sort((a, b) => (a.info.time?.created ?? 0) - (b.info.time?.created ?? 0) || byId(a.info, b.info));
};

const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
const asked = { agent: 'build', model: { providerID: 'mock', modelID: 'm' } };
const answered = { mode: 'build', agent: 'build', path: { cwd: '/', root: '/' }, cost: 0, modelID: 'm', providerID: 'mock', tokens };
const wanted = {
	reasoning: (at) => ({ time: { start: at, end: at } }),
	state: (at) => ({ title: '', metadata: {}, raw: '', time: { start: at, end: at } }),
	'step-finish': () => ({ reason: 'stop', cost: 0, tokens }),
};
const counted = (of) => ({ tokens: { ...tokens, ...of.tokens, cache: { ...tokens.cache, ...of.tokens?.cache } } });
const byId = (a, b) => a.id < b.id ? -1 : Number(a.id > b.id);
const named = (prefix, id = '') => id.startsWith(prefix) ? id : prefix + id;

const opencode = (text) => {
	const value = JSON.parse(text);
	if (!Array.isArray(value)) return text;
	const list = value[0]?.info ? value : played(value);
	const session = list[0]?.info.sessionID, sessionID = named('ses', session);
	let parentID = 'msg_none';
	const messages = list.filter(({ info }) => info.sessionID === session).map(({ info: { system, ...info }, parts }) => {
		const id = named('msg', info.id), isUser = info.role === 'user', created = info.time?.created ?? 0;
		if (isUser) parentID = id;
		return { info: { ...isUser ? asked : { ...answered, parentID }, ...info, ...!isUser && counted(info), id, sessionID, time: { created, ...info.time } },
			parts: [...parts].sort(byId).map((p) => ({ ...wanted[p.type]?.(created), ...p, ...p.tokens && counted(p), ...p.state && { state: { ...wanted.state(created), ...p.state } },
				id: named('prt', p.id), sessionID, messageID: id })) };
	});
	const info = { id: sessionID, slug: 'ctx', projectID: 'global', directory: '/', title: 'ctx', version: '1.0.0', time: { created: 0, updated: 0 } };
	return JSON.stringify({ info, messages });
};

const gemini = (text) => {
	let value;
	try { value = JSON.parse(text); } catch { return text; }
	return value.type && value.id ? JSON.stringify({ sessionId: 's', projectHash: 'h', messages: [value] }) : text;
};

// exported(AGENT, TEXT): the session; what is one is as it is.
export const exported = (agent, text) => ({ opencode, 'gemini-cli': gemini }[agent]?.(text) ?? text);
