// traps.mjs AGENT SESSION DIR: writes copies of SESSION, a file of AGENT, into DIR, each with one thing that its loader
// does not bear, or that it loses messages by; see ../../man/ctx-normalize.1 on --check. Prints their names.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lines } from './neutral.mjs';

const [agent, session, dir] = process.argv.slice(2), text = readFileSync(session, 'utf8');
const without = (value, ...names) => Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
const put = (name, list) => {
	const path = join(dir, `trap-${agent}-${name}.jsonl`);
	writeFileSync(path, list.map((value) => JSON.stringify(value) + '\n').join(''));
	console.log(path);
};
// with the element at that place made by change
const at = (list, i, change) => list.map((value, n) => n === i ? change(value) : value);

// branched(LIST, I, ID, PARENT): with two records after the first I that the user then left.
const branched = (list, i, id, parent) => [...list.slice(0, i),
	{ ...list[i], [id]: 'left1', [parent]: list[i - 1][id] }, { ...list[i], [id]: 'left2', [parent]: 'left1' }, ...list.slice(i)];

const traps = {
	'claude-code'(list) {
		const half = list.findIndex((r, i) => i > 0 && r.type === 'user' && r.message.content[0].type !== 'tool_result');
		const aside = { type: 'progress', uuid: 'p1', parentUuid: list[0].uuid, data: { type: 'hook_progress' } };
		put('progress', [...at(list, half, (r) => ({ ...r, parentUuid: 'p1' })), aside]);
		put('dangling', at(list, half, (r) => ({ ...r, parentUuid: 'none' })));
		put('late', at(list, half, (r) => ({ ...r, parentUuid: 'none' })).map((r, i) => ({ ...r, timestamp: new Date(Date.parse(list[0].timestamp) + i * 6000).toISOString() })));
		put('timeless', at(list, half, (r) => ({ ...r, parentUuid: 'none' })).map((r) => without(r, 'timestamp')));
		put('parentless', list.map((r) => without(r, 'parentUuid')));
		put('nameless', list.map((r) => without(r, 'parentUuid', 'uuid')));
		put('circle', at(list, half, (r) => ({ ...r, parentUuid: list.at(-1).uuid })));
		put('last', [...list, { type: 'system', uuid: 's1', parentUuid: list[1].uuid, content: 'hook', level: 'info' }]);
		const stood = (i, more) => ({ type: 'last-prompt', lastPrompt: 'x', leafUuid: list[i].uuid, ...more });
		put('stood', [...list, stood(list.length - 1), { type: 'system', uuid: 's1', parentUuid: list[1].uuid, content: 'hook', level: 'info' }]);
		put('went', [...list, stood(half - 1, { explicit: true })]);
		put('branched', [{ type: 'file-history-snapshot', messageId: list[0].uuid, snapshot: {} }, ...branched(list, half, 'uuid', 'parentUuid')]);
		const hook = { type: 'progress', uuid: 'p2', parentUuid: 'p1', data: { type: 'hook_progress' } }, walked = { ...aside, parentUuid: list[half - 1].uuid };
		put('walked', [...list.slice(0, half), walked, hook, ...at(list.slice(half), 0, (r) => ({ ...r, parentUuid: 'p2' }))]);
		const boundary = (more) => [{ ...list[half], type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', message: undefined, uuid: 'c1', parentUuid: null, logicalParentUuid: list[half - 1].uuid, compactMetadata: { trigger: 'manual', preTokens: 1, ...more } },
			{ ...list[half], uuid: 'c2', parentUuid: 'c1', isCompactSummary: true, message: { role: 'user', content: 'The harbour was sounded.' } }];
		const later = at(list.slice(half), 0, (r) => ({ ...r, parentUuid: 'c2' }));
		put('compacted', [...list.slice(0, half), ...boundary(), ...later]);
		const kept = list.slice(half - 1, half).map((r) => r.uuid);
		put('kept', [...list.slice(0, half), ...boundary({ preservedMessages: { anchorUuid: 'c2', uuids: kept, allUuids: kept } }), ...later]);
	},
	codex(list) {
		put('header', list.slice(1));
		put('member', at(list, 0, (r) => ({ ...r, payload: without(r.payload, 'cwd') })));
		put('first', ['torn', ...list]);
		put('time', at(list, 0, (r) => without(r, 'timestamp')));
		put('timestamp', at(list, 2, (r) => without(r, 'timestamp')));
		put('fraction', at(list, 2, (r) => ({ ...r, ordinal: 1.5 })));
		put('number', at(list, 2, (r) => ({ ...r, timestamp: 1 })));
		put('ordinal', at(list, 0, (r) => ({ ...r, payload: { ...r.payload, history_mode: 'paginated' } })));
		put('ordinals', at(list, 0, (r) => ({ ...r, payload: { ...r.payload, history_mode: 'paginated' } })).map((r, i) => i === 1 ? r : { ...r, ordinal: i }));
		put('mode', at(list, 0, (r) => ({ ...r, payload: { ...r.payload, history_mode: 'new' } })));
		put('id', at(list, 0, (r) => ({ ...r, payload: { ...r.payload, id: 's1' } })));
		const items = list.filter((r) => r.type === 'response_item' && r.payload.type === 'message').slice(0, 2).map((r) => r.payload);
		const compacted = { ...list[1], type: 'compacted', payload: { message: 'Sounded.', replacement_history: items } };
		const turn = list.findLastIndex((r) => r.payload.type === 'message' && r.payload.role === 'user');
		put('compacted', [...list.slice(0, turn), compacted, ...list.slice(turn)]);
	},
	pi(list) {
		put('header', list.slice(1));
		put('id', at(list, 0, (r) => without(r, 'id')));
		put('dangling', at(list, 3, (r) => ({ ...r, parentId: 'none' })));
		put('parentless', at(list, 3, (r) => without(r, 'parentId')));
		put('nameless', list.map((r) => r.type === 'session' ? r : without(r, 'id', 'parentId')));
		put('flat', at(list, 0, (r) => without(r, 'version')));
		put('branched', branched(list, 4, 'id', 'parentId'));
		const model = { type: 'model_change', id: 'm1', parentId: list[1].id, timestamp: list[1].timestamp, provider: 'p', modelId: 'm' };
		const moved = [...list.slice(0, 2), model, ...at(list.slice(2), 0, (r) => ({ ...r, parentId: 'm1' }))];
		const answer = moved.findIndex((r, i) => i > 4 && r.message?.role === 'assistant'), first = answer;
		const summary = { type: 'compaction', id: 'k1', parentId: moved[first + 1].id, timestamp: list[1].timestamp, summary: 'Sounded.', firstKeptEntryId: moved[first].id, tokensBefore: 9 };
		put('compacted', [...moved.slice(0, first + 2), summary, ...at(moved.slice(first + 2), 0, (r) => ({ ...r, parentId: 'k1' }))]);
		put('last', [...list, { type: 'label', id: 'l1', parentId: list[2].id, timestamp: list[1].timestamp, targetId: list[2].id, label: 'x' }]);
	},
	'gemini-cli'(list) {
		put('header', list.slice(1));
		put('hash', at(list, 0, (r) => without(r, 'projectHash')));
		put('id', at(list, 2, (r) => without(r, 'id')));
		put('ids', list.map((r) => without(r, 'id')));
		put('number', at(list, 2, (r) => ({ ...r, id: 7 })));
		put('command', at(list, 1, (r) => ({ ...r, content: [{ text: ' /etc is full' }] })));
		put('alone', [{ sessionId: 's', messages: list.slice(1).map((r) => without(r, 'id')) }]);
		put('beside', [{ sessionId: 's', messages: list.slice(1) }, list[1]]);
		put('later', [...list.slice(1), list[0]]);
	},
	opencode([session]) {
		const message = (i, change) => ({ ...session, messages: at(session.messages, i, change) });
		for (const name of ['id', 'slug', 'title', 'version', 'time'])
			put(`session-${name}`, [{ ...session, info: without(session.info, name) }]);
		put('user', [message(0, (m) => ({ ...m, info: without(m.info, 'agent') }))]);
		put('assistant', [message(1, (m) => ({ ...m, info: without(m.info, 'mode') }))]);
		put('part', [message(0, (m) => ({ ...m, parts: m.parts.map((p) => without(p, 'messageID')) }))]);
		put('type', [message(0, (m) => ({ ...m, parts: m.parts.map((p) => ({ ...p, type: 'new' })) }))]);
		put('prefix', [message(0, (m) => ({ ...m, info: { ...m.info, id: 'x1' } }))]);
		put('order', [{ ...session, messages: [...session.messages].reverse() }]);
	},
};
traps[agent](agent === 'opencode' ? [JSON.parse(text)] : lines(text));
