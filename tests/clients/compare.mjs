// Two conversations of neutral messages, and whether they are one. Lines of the client and thinking do not count,
// neighbours of one role are one message; at a joint, and at the end of a user's text, an LF is as good as none.

import assert from 'node:assert';
import { join } from './neutral.mjs';

// fold(LINES): the conversation, with ids renamed in order of appearance.
export const fold = (lines) => {
	const out = [], ids = new Map();
	const id = (x) => { if (!ids.has(x)) ids.set(x, `id${ids.size + 1}`); return ids.get(x); };
	for (const l of lines) {
		if (l.client || !(l.text || l.calls.length || l.results.length)) continue;
		let m = out[out.length - 1];
		if (!m || m.role !== l.role) out.push(m = { role: l.role, text: '', calls: [], results: [] });
		if (l.text) m.text = join(m.text, l.text);
		m.calls.push(...l.calls.map((c) => ({ ...c, id: id(c.id) })));
		m.results.push(...l.results.map((r) => ({ ...r, id: id(r.id) })));
	}
	for (const m of out) if (m.role === 'user') m.text = m.text.replace(/\n$/, '');
	return out;
};

const show = (v) => { const s = v === undefined ? 'nothing' : JSON.stringify(v); return s.length > 150 ? s.slice(0, 147) + '...' : s; };
const equal = (a, b) => { try { assert.deepStrictEqual(a, b); return true; } catch { return false; } };
const fork = (a, b) => { let i = 0; while (i < a.length && a[i] === b[i]) i++; return i < 40 ? 0 : i - 30; };

// The differences of two messages, as texts: what, in the one, in the other. A result without a flag for
// errors is as one with any.
const unlike = (x, y) => {
	const found = [], say = (what, p, q) => found.push(`${what}: ${show(p)} | ${show(q)}`);
	if (!x || !y || x.role !== y.role) return say('message', x, y), found;
	if (x.text !== y.text) { const k = fork(x.text, y.text); say(`text from ${k}`, x.text.slice(k), y.text.slice(k)); }
	for (const part of ['calls', 'results']) {
		for (let j = 0; j < Math.max(x[part].length, y[part].length); j++) {
			const p = x[part][j] && { ...x[part][j] }, q = y[part][j] && { ...y[part][j] };
			if (p && q && (p.error === undefined || q.error === undefined)) delete p.error, delete q.error;
			if (equal(p, q)) continue;
			const k = p && q && part === 'results' && p.text !== q.text ? fork(p.text, q.text) : 0;
			say(`${part}[${j}]`, k ? { ...p, text: p.text.slice(k) } : p, k ? { ...q, text: q.text.slice(k) } : q);
		}
	}
	return found;
};

// The messages that both have, in one order: the longest such list. Ids do not count, since one message more
// renames all behind it.
const common = (a, b) => {
	const flags = [a, b].every((list) => list.every((m) => m.results.every((r) => r.error !== undefined)));
	const key = (m) => JSON.stringify([m.role, m.text, m.calls.map((c) => [c.name, c.arguments]), m.results.map((r) => [r.text, flags && r.error])]);
	let x = a.map(key), y = b.map(key), n = 0;
	while (x.length && y.length && x[0] === y[0]) x.shift(), y.shift(), n++;
	while (x.length && y.length && x[x.length - 1] === y[y.length - 1]) x.pop(), y.pop(), n++;
	let row = new Array(y.length + 1).fill(0);
	for (const k of x) {
		const next = [0];
		for (let j = 1; j <= y.length; j++) next[j] = k === y[j - 1] ? row[j - 1] + 1 : Math.max(row[j], next[j - 1]);
		row = next;
	}
	return n + row[y.length];
};

// compare(SENT, READ): what a client sent and what ctx read, as {messages, equal, missing, added, said}: missing is
// what ctx has not, added what the client has not, said the first differences.
export const compare = (sent, read) => {
	const a = fold(sent), b = fold(read), said = [];
	for (let i = 0; i < Math.max(a.length, b.length) && said.length < 4; i++) {
		said.push(...unlike(a[i], b[i]).map((text) => `message ${i + 1}, ${text}`));
		if (!a[i] || !b[i] || a[i].role !== b[i].role) break;
	}
	const n = common(a, b);
	return { messages: a.length, equal: n, missing: a.length - n, added: b.length - n, said };
};
