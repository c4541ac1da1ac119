// The invariants of a compaction, held against what went in and what came out. Nothing here is told by
// ctx but the tokens of messages. Each fault is a line.

import { TAG, isOurs, textOf } from './stream.mjs';

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const sum = list => list.reduce((all, one) => all + one, 0);

const units = stream => stream.thread.filter(message => message.call === undefined)
	.map(head => head.group?.members.filter(member => member.inThread) ?? [head]);

const failed = message => message.metadata.is_error === true;

const stringsOf = value => typeof value === 'string' ? [value] :
	typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];

const isOverAt = (stream, message) => message.execution < stream.last || stream.isOver;

// The last segments of the paths that a call may write, make, copy or link.
const endsOf = ({ name, args }) => {
	if (edits.test(name ?? '')) return [pathOf(args)].filter(path => typeof path === 'string').map(base);
	const command = stringsOf(args?.command ?? args?.cmd ?? '').at(-1) ?? '';
	return command.split(/&&|\|\||[|;\n]/).flatMap(part => {
		const words = part.trim().split(/[\s"']+/);
		return /^(cp|mv|mkdir|touch|ln|install|tee|sed|truncate|git)$/.test(words[0]) ? words.slice(1) : [...part.matchAll(/>\s*([^\s>&"']+)/g)].map(match => match[1]);
	}).map(base).filter(Boolean);
};

// Whether a result with the flag of an error is only that a search or a comparison found nothing: its
// command is the last one of the line, and the result has no text but a status of 1, or none.
const foundNothing = ({ args, result }) => {
	const command = stringsOf(args?.command ?? args?.cmd ?? '').at(-1) ?? '';
	const parts = command.split(/(&&|\|\||[|;\n])/).map(part => part.trim());
	const search = /^(z|e|f)?grep\s|^(rg|ag|ack|pgrep|diff|cmp|test|which|command)\s|^\[|^git\s+(grep|diff|config|check-ignore|merge-base|show-ref)\b/;
	if (!search.test(parts.at(-1))) return false;
	// Of a line without quotes the commands in front are known; what is neither cd nor goes into the search hides a failure.
	if (!/['"$`\\<(#]/.test(command) && parts.some((part, i) => i % 2 === 0 && part !== '' && !search.test(part) && !/^cd\b/.test(part) && parts[i + 1] !== '|')) return false;
	const said = textOf(result.value.content).replace(/^\{"output":"",|^(Output:|\(no output\)|Wall time:.*|Chunk ID:.*|.*token count:.*|Total output lines:.*|<\/?output>)$/gm, '').trim();
	return said === '' || /^[^\n]*\b(code|status|returncode|exit_code)\b["\]:>= ]*1\b[^\n]*$/i.test(said);
};

// The calls that surely failed and that nothing surely later could have made good: { call, result }, and
// failed results without a call.
export const openFailures = stream => {
	const calls = stream.groups.flatMap(group => group.calls).filter(call => call.message.inThread);
	const resolved = new Set(stream.messages.flatMap(({ metadata }) => [metadata.resolves].flat()));
	const bad = stream.records.some(record => record.kind === 'bad');
	const isBad = call => call.result !== undefined ? failed(call.result) : !bad && isOverAt(stream, call.message);
	const saysResolved = ({ metadata }) => metadata?.resolved === true || Array.isArray(metadata?.resolved);
	return calls.filter((call, i) => {
		const { result, message } = call;
		if (!isBad(call) || (result && foundNothing(call)) || saysResolved(message) || (result && saysResolved(result))) return false;
		if (resolved.has(call.id) || resolved.has(message.metadata.id) || resolved.has(result?.metadata.id)) return false;
		if (message.metadata.compacted === true || result?.metadata.resolved === false) return false;
		return !calls.slice(i + 1).some(later => later.key === call.key ||
			((later.result === undefined || !failed(later.result) || foundNothing(later)) &&
				(later.name === call.name || endsOf(later).some(end => endsOf(call).includes(end)) || stringsOf(later.args).some(text => JSON.stringify(call.args ?? '').includes(JSON.stringify(text).slice(1, -1))))));
	});
};

// The messages of the user before the first answer; an artifact says how many they were.
const framing = stream => {
	const section = ({ metadata }) => metadata.section ?? (metadata.kind === 'summary' ? 'summary' : 'messages');
	const ours = stream.thread.find(isOurs);
	const most = ours ? Math.max(ours.metadata.facts.framing ?? 1, 1) : Infinity;
	const speaks = stream.thread.filter(message => !message.isArtifact && (message.group?.members[0].metadata.section ?? section(message)) === 'messages');
	const first = speaks.findIndex(message => message.role === 'user' && message.origin === 'user');
	if (first < 0) return [];
	const answer = speaks.findIndex((message, i) => i > first && message.role === 'assistant' && !failed(message));
	return speaks.slice(first, answer < 0 ? undefined : answer)
		.filter(message => message.role === 'user' && message.origin === 'user').slice(0, most);
};

// The newest units back to so many turns, messages and tokens; the newest always.
const windowOf = (stream, { turns = Infinity, messages = Infinity, tokens = Infinity }, weights) => {
	const found = [], list = units(stream).filter(([head]) => !isOurs(head));
	list.sort((a, b) => b.at(-1).place - a.at(-1).place);
	let count = 0, weight = 0;
	for (const unit of list) {
		count += unit.length;
		weight += sum(unit.map(member => weights.get(member.tag) ?? 0));
		if (found.length > 0 && (unit.at(-1).turn + turns <= stream.turns || count > messages || weight > tokens)) break;
		found.push(...unit);
	}
	return found;
};

// Whether a bad line may be the result that the group lacked when the line came.
const isFrozen = (stream, { members: [head], calls }) => {
	const end = stream.thread.find(message => message.place > head.place && message.origin === 'user')?.place ?? Infinity;
	return stream.records.some(record => record.kind === 'bad' && record.place > head.place && record.place < end &&
		calls.some(call => call.result === undefined || call.result.place > record.place));
};

const ASKED = 'what the user asked';

// What stays byte for byte, by reason; options: those of check().
const verbatim = (stream, options, weights) => {
	const reason = new Map();
	const keep = (list, why) => { for (const message of list) if (!isOurs(message)) reason.set(message, why); };
	const whole = message => message.group?.members ?? [message];
	const asked = stream.thread.filter(message => message.role === 'user' && message.origin === 'user' && !message.isArtifact).at(-1);
	keep(framing(stream), ASKED);
	if (asked) keep([asked], ASKED);
	keep(stream.messages.filter(message => !message.inThread), 'another agent or role');
	for (const message of stream.thread) {
		if (message.role === 'system' || message.role === 'developer') keep([message], message.role);
		if (message.metadata.pinned === true) keep(whole(message), 'pinned');
	}
	for (const group of stream.groups) {
		const [head] = group.members;
		if (!head.inThread || group.calls.every(call => call.result)) continue;
		if (!isOverAt(stream, head)) keep(group.members, 'open');
	}
	for (const group of stream.groups) if (group.members[0].inThread && isFrozen(stream, group)) keep(group.members, 'frozen');
	if (options.window) keep(windowOf(stream, options.window, weights), 'window');
	return reason;
};

// The default window, when all that stays has room beside an artifact; else nothing.
const defaultWindow = (before, options, weights, stays) => {
	if (options.window || !options.drops) return [];
	const list = windowOf(before, { turns: 2, tokens: Math.min(20000, Math.floor(options.target / 2)) }, weights);
	const unsure = before.thread.filter(message => message.metadata.critical !== undefined || message.metadata.resolved !== undefined ||
		(message.group ?? { members: [message] }).members.some(failed) || message.group?.calls.some(call => !call.result) ||
		message.metadata.kind === 'summary');
	const all = new Set([...stays.keys(), ...list, ...unsure, before.thread[0]].filter(Boolean));
	const weight = sum([...all].map(message => weights.get(message.tag) ?? 0));
	return weight + 2600 <= options.room ? list : [];
};

const skeleton = stream => stream.records.filter(record => record.kind !== 'budget' && !(record.kind === 'message' && record.tag === undefined))
	.map(record => record.kind === 'message' ? `message ${record.tag}` : `${record.kind} ${record.line}`);

const checkOrder = (before, after, faults) => {
	const had = skeleton(before), has = skeleton(after);
	let at = 0;
	for (const one of had) {
		if (has[at] === one) at++;
		else if (!one.startsWith('message ')) { faults.push(`order: gone or moved: ${one.slice(0, 80)}`); return; }
	}
	if (at < has.length) faults.push(`order: ${has[at].slice(0, 80)}`);
};

const checkPairs = (before, after, faults) => {
	const tags = group => JSON.stringify([group.members.map(member => member.tag), group.calls.map(call => [call.id, call.name, call.result?.tag])]);
	const had = new Map(before.groups.map(group => [group.members[0].tag, tags(group)]));
	for (const group of after.groups)
		if (had.get(group.members[0].tag) !== tags(group)) faults.push(`pairs: message ${group.members[0].tag}: ${had.get(group.members[0].tag)} became ${tags(group)}`);
	const lone = stream => stream.messages.filter(message => message.role === 'tool' && message.call === undefined).map(message => message.tag);
	for (const tag of lone(after)) if (!lone(before).includes(tag)) faults.push(`pairs: result ${tag} has no call`);
};

const ownMetadata = ['compacted', 'archived', 'pass', 'call_keys', 'resolved'];
const strangers = value => {
	const { content, tool_calls, tool_result, metadata, _metadata, ...rest } = value;
	const meta = metadata ?? _metadata;
	const left = typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? Object.fromEntries(Object.entries(meta).filter(([name]) => !ownMetadata.includes(name) && name !== 'tool_result' && name !== 'tool_calls')) : {};
	return [rest, left];
};

const isThinking = part => /thinking|reasoning/.test(part?.type ?? '');
const thinkingOf = value => [value.reasoning_content, value.reasoning, Array.isArray(value.content) ? value.content.filter(isThinking) : []];

// A message that stayed, but not as it was.
const checkChanged = (was, is, before, options, weights, weightsAfter, faults) => {
	const say = text => faults.push(`message ${was.tag}: ${text}`);
	if (is.metadata.compacted !== true) say('changed, and does not say compacted');
	if (is.line.length >= was.line.length) say(`grew from ${was.line.length} to ${is.line.length} bytes`);
	if (weightsAfter.get(is.tag) > weights.get(was.tag)) say(`grew from ${weights.get(was.tag)} to ${weightsAfter.get(is.tag)} tokens`);
	if (was.metadata.compacted === true && !(was.role === 'tool' && /^\[/.test(textOf(is.value.content)))) say('compacted, and edited');
	if (!same(strangers(was.value), strangers(is.value))) say('members of the user changed');
	if (was.turn === before.turns && was.role === 'assistant' && !same(thinkingOf(was.value), thinkingOf(is.value))) say('thinking of the newest turn changed');
	is.calls.forEach((call, i) => {
		const given = was.calls[i]?.function?.arguments, left = call.function?.arguments;
		const parses = text => { try { JSON.parse(text); return true; } catch { return false; } };
		if (typeof given === 'string' && parses(given) && !parses(left)) say('arguments are no JSON');
	});
};

const pathOf = args => typeof args !== 'object' || args === null ? undefined : args.file_path ?? args.filePath ?? args.path ?? args.notebook_path;
const edits = /^(write|edit|multiedit|write_file|create_file|edit_file|notebookedit)$/i;
const base = path => path.split('/').filter(Boolean).at(-1);

// A file that a command of the session deleted or moved stands as deleted instead.
const isGone = (path, facts, before) => facts.files_deleted?.some(file => base(file) === base(path)) && before.messages.flatMap(message => message.group?.calls ?? [])
	.some(call => /\b(rm|mv|unlink)\b/.test(call.args?.command) && call.args.command.includes(base(path)));

// What was dropped stands in the artifact.
const checkArtifact = (before, after, dropped, options, faults) => {
	const ours = after.messages.filter(isOurs), earlier = before.messages.filter(isOurs);
	const say = text => faults.push(`artifact: ${text}`);
	if (dropped.length > 0 && ours.length === 0) return say(`${dropped.length} messages dropped, and none`);
	if (ours.length > Math.max(earlier.length, 1)) return say(`${ours.length} of them`);
	if (ours.length === 0 || earlier.length > 1) return;
	const { facts, kind, scope } = ours[0].metadata;
	if (ours[0].tag === undefined && (kind !== 'summary' || scope !== 'historical')) say('is no summary');
	if (facts.dropped !== dropped.length + (earlier[0]?.metadata.facts.dropped ?? 0)) say(`says ${facts.dropped} dropped, and ${dropped.length} were`);
	const covered = sum((facts.covers ?? []).map(([first, last]) => last - first + 1));
	if (earlier.length === 0 && covered !== facts.dropped) say(`covers ${covered} places of ${facts.dropped} dropped`);
	const modified = dropped.flatMap(message => message.group?.calls ?? [])
		.filter(call => edits.test(call.name ?? '') && call.result && !failed(call.result) && call.message.metadata.is_error !== true).map(call => pathOf(call.args));
	for (const path of [...modified, ...(earlier[0]?.metadata.facts.files_modified ?? [])])
		if (typeof path === 'string' && base(path) && !facts.files_modified?.some(file => base(file) === base(path)) && !isGone(path, facts, before)) say(`modified, and not named: ${path}`);
	return facts;
};

const checkFailures = (before, kept, facts, options, faults) => {
	for (const call of openFailures(before)) {
		const stays = [call.message, call.result].every(message => message === undefined || kept.has(message.tag));
		const was = call.result && textOf(call.result.value.content), is = stays && call.result && textOf(kept.get(call.result.tag).value.content);
		if (stays && was !== is && call.result.metadata.compacted !== true && !is.includes(' bytes cut …'))
			faults.push(`failure: message ${call.result.tag} is open, and what it said is gone: ${is.slice(0, 60)}`);
		if (stays) continue;
		const said = (facts?.unresolved ?? []).filter(text => typeof text === 'string');
		if (!options.summarizes) faults.push(`failure: message ${call.message.tag} is open, and dropped`);
		else if (!said.some(text => text.replace(/^`/, '').startsWith(call.name ?? ''))) faults.push(`failure: message ${call.message.tag} is open, dropped, and not in the facts`);
	}
};

// With truncate and nothing that keeps by value, what is older goes first.
const checkOldest = (before, kept, stays, options, faults) => {
	if (!options.oldestFirst) return;
	const newest = Math.max(-1, ...units(before).filter(([head]) => !kept.has(head.tag) && !isOurs(head)).map(([head]) => head.place));
	const isFree = unit => unit.every(message => !stays.has(message) && !failed(message) && message.metadata.critical === undefined &&
		message.metadata.kind !== 'summary' && message.metadata.resolved === undefined) && !isOurs(unit[0]) && !(unit[0].group?.calls.some(call => !call.result)) &&
		unit[0] !== before.thread[0] && !(unit[0].origin === 'user' && unit[0].execution === before.last);
	for (const unit of units(before))
		if (kept.has(unit[0].tag) && unit[0].place < newest && isFree(unit)) faults.push(`oldest: message ${unit[0].tag} stays, and newer ones went`);
};

// What the user forbade or obliged stands where the budget has room for it, and so do the rules of
// files that were read, where an eighth of the target has. What a message that stays overrides is free.
const checkRules = (before, after, facts, options, weightsAfter, faults) => {
	if (!facts) return;
	const plain = text => text.replace(/\s+/g, ' ');
	const strings = list => (list ?? []).filter(text => typeof text === 'string');
	const cost = list => sum(list.map(text => text.length + 3));
	const bytes = stream => sum(stream.records.filter(record => record.kind !== 'budget').map(record => record.line.length + 1));
	const texts = after.messages.filter(message => message.role !== 'tool').map(message => plain(textOf(message.value.content)));
	const said = after.messages.filter(message => !isOurs(message) && message.role !== 'tool' && message.role !== 'assistant').map(message => new Set(textOf(message.value.content).toLowerCase().match(/\w+/g)));
	const isOverridden = rule => { const words = rule.toLowerCase().match(/\w+/g) ?? []; return said.some(one => words.filter(word => one.has(word)).length * 5 >= words.length * 4); };
	const files = strings(facts.instructions), all = [...strings(facts.constraints), ...(cost(files) <= options.target / 2 ? files : [])];
	const lost = all.filter(rule => !/[\x00-\x1f\x7f-\xff]/.test(rule) && !texts.some(text => text.includes(plain(rule))) && !isOverridden(rule));
	if (lost.length === 0) return;
	const least = lost.reduce((a, b) => a.length < b.length ? a : b), more = least.length + 32;
	if (sum([...weightsAfter.values()]) + more <= options.room && bytes(after) + more * 2 <= bytes(before)) faults.push(`rules: not in the text: ${least}`);
};

// options: { room, target, window, drops, summarizes, oldestFirst, bestEffort }; weights: by tag.
export const check = (before, after, options, weights, weightsAfter) => {
	const faults = [], kept = new Map(after.messages.filter(message => message.tag !== undefined).map(message => [message.tag, message]));
	const stays = verbatim(before, options, weights);
	for (const message of defaultWindow(before, options, weights, stays)) if (!stays.has(message) && !isOurs(message)) stays.set(message, 'default window');
	checkOrder(before, after, faults);
	checkPairs(before, after, faults);
	const dropped = before.messages.filter(message => !kept.has(message.tag) && !isOurs(message));
	// With best effort what was asked may be cut, and must still be there.
	const isCut = (message, why) => options.bestEffort && why === ASKED && textOf(kept.get(message.tag)?.value.content).includes(' bytes cut …');
	for (const [message, why] of stays)
		if (kept.get(message.tag)?.line !== message.line && !isCut(message, why)) faults.push(`verbatim: message ${message.tag} (${why}) ${kept.has(message.tag) ? 'changed' : 'is gone'}`);
	for (const message of dropped) if (message.metadata.critical === true) faults.push(`critical: message ${message.tag} is gone`);
	const newest = before.thread.filter(message => !isOurs(message)).at(-1);
	if (newest && (newest.group?.members ?? [newest]).some(message => message.inThread && !kept.has(message.tag))) faults.push('window: the newest message is gone');
	for (const message of before.messages) {
		const left = kept.get(message.tag);
		if (left && left.line !== message.line && !isOurs(message)) checkChanged(message, left, before, options, weights, weightsAfter, faults);
	}
	const facts = checkArtifact(before, after, dropped, options, faults);
	checkFailures(before, kept, facts, options, faults);
	checkRules(before, after, facts, options, weightsAfter, faults);
	checkOldest(before, kept, stays, options, faults);
	const bytes = stream => sum(stream.records.filter(record => record.kind !== 'budget').map(record => record.line.length + 1));
	if (bytes(after) > bytes(before)) faults.push(`growth: ${bytes(before)} bytes became ${bytes(after)}`);
	return faults;
};
