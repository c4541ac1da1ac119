#include "policy/filter/exchange.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/session/session_locks.h"
#include "json/string.h"

/* Whether both ids are of one text. */
static bool
is_same_id(struct json_value a, struct json_value b)
{
	struct buf of_a = BUF_INIT, of_b = BUF_INIT;
	bool same = str_eq(call_id_text(a, &of_a), call_id_text(b, &of_b));

	buf_free(&of_a);
	buf_free(&of_b);
	return same;
}

/* Whether arguments that hold an object hold one still, and in the same way. */
static bool
are_still_arguments(struct json_value before, struct json_value after)
{
	struct arena arena = ARENA_INIT;
	struct tool_arguments a, b;

	tool_arguments(before, &arena, &a);
	tool_arguments(after, &arena, &b);
	arena_free(&arena);
	return before.type == after.type &&
	    (a.value.type == JSON_ABSENT || b.value.type != JSON_ABSENT);
}

static bool
has_same_calls(const struct message *a, const struct message *b)
{
	struct call_walk of_a = call_walk_of(a), of_b = call_walk_of(b);
	struct tool_call call, other;
	bool more, others, same = true;

	do {
		more = call_walk_next(&of_a, &call);
		others = call_walk_next(&of_b, &other);
		if (more && others)
			same = is_same_id(call.id, other.id) && is_same_id(call.name, other.name) &&
			    are_still_arguments(call.arguments, other.arguments);
	} while (more && others && same);
	return same && more == others;
}

static bool
is_same_value(struct json_value a, struct json_value b)
{
	struct arena arena = ARENA_INIT;
	struct buf of_a = BUF_INIT, of_b = BUF_INIT;
	bool same;

	align_canon(a, &of_a, &arena);
	align_canon(b, &of_b, &arena);
	same = str_eq(buf_str(&of_a), buf_str(&of_b));
	buf_free(&of_a);
	buf_free(&of_b);
	arena_free(&arena);
	return same;
}

/* Whether the metadata by which compaction judges a message are the same. */
static bool
has_same_metadata(const struct message *a, const struct message *b)
{
	static const enum metadata_name names[] = {METADATA_ORIGIN, METADATA_EXECUTION_ID,
	    METADATA_IS_ERROR, METADATA_RESOLVED, METADATA_RESOLVES, METADATA_PINNED,
	    METADATA_CRITICAL, METADATA_KIND, METADATA_FACTS, METADATA_SECTION, METADATA_AGENT_ID,
	    METADATA_PARENT_EXECUTION_ID, METADATA_ID};

	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (!is_same_value(a->meta[names[i]], b->meta[names[i]]))
			return false;
	return true;
}

/* Whether both texts, of messages, have the same role, calls and answered call, and equal values
 * of the metadata by which compaction judges a message. Arguments may be others, but where there
 * was an object there must be one still. Linear in both texts. */
static bool
identity_is_kept(struct str before, struct str after)
{
	struct message a, b;

	message_reread(&a, before);
	message_reread(&b, after);
	return a.role == b.role && is_same_id(a.tool_call_id, b.tool_call_id) &&
	    has_same_calls(&a, &b) && has_same_metadata(&a, &b);
}

void
exchange_add_input(struct exchange *f, struct str text, uint32_t entry)
{
	LIST_ROOM(f->in, f->in_count, f->in_cap);
	LIST_ROOM(f->entry, f->entry_count, f->entry_cap);
	f->in[f->in_count++] = (struct align_record){.text = text};
	f->entry[f->entry_count++] = entry;
}

void
exchange_add_output(struct exchange *f, struct str text, uint64_t line)
{
	LIST_ROOM(f->out, f->out_count, f->out_cap);
	LIST_ROOM(f->line, f->line_count, f->line_cap);
	f->out[f->out_count++] = (struct align_record){.text = text};
	f->line[f->line_count++] = line;
}

void
exchange_free(struct exchange *f)
{
	free(f->in);
	free(f->out);
	free(f->entry);
	free(f->line);
}

/* before is the last entry up to there. */
static void
check_record(struct exchange *f, uint32_t in, uint32_t before)
{
	const struct compaction *c = f->compaction;
	const struct session *t = c->session;
	const struct align_record *record = &f->in[in];
	uint32_t entry = f->entry[in];
	bool is_dropped = record->match == ALIGN_NONE;

	if (record->is_equal)
		return;
	if (entry == NONE || entry == c->artifact)
		invariants_note_entry(&f->broken, INVARIANT_ARTIFACT, t, before, NULL);
	else if (!invariants_keep(&f->broken, c, entry, is_dropped, true) || is_dropped)
		return;
	else if (!identity_is_kept(record->text, f->out[record->match].text))
		invariants_note_entry(&f->broken, INVARIANT_IDENTITY, t, entry, NULL);
	else if (f->out[record->match].text.len > record->text.len)
		invariants_note_entry(&f->broken, INVARIANT_GREW, t, entry, NULL);
}

/* Whether a new message is another agent's than the session. */
static bool
is_outside(const struct session *t, const struct message *message)
{
	struct buf scratch = BUF_INIT;
	struct str agent = walk_agent(message, &scratch);
	bool outside = agent.len > 0 && !str_eq(agent, buf_str(&t->walk.agent));

	buf_free(&scratch);
	return outside;
}

static bool
is_section_of(const struct compaction *c, const struct message *message, uint32_t before)
{
	struct buf scratch = BUF_INIT;
	bool same = str_eq(message_section(message, &scratch),
	    session_section(c->session, &c->session->entry[before]));

	buf_free(&scratch);
	return same;
}

/* Whether its metadata keeps a message, settles a failure, or begins an execution. */
static bool
has_word_of_log(const struct message *message)
{
	static const enum metadata_name names[] = {METADATA_PINNED, METADATA_CRITICAL,
	    METADATA_IS_ERROR, METADATA_RESOLVED, METADATA_RESOLVES, METADATA_EXECUTION_ID};

	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (message->meta[names[i]].type != JSON_ABSENT)
			return true;
	return false;
}

/* Whether a new message after that entry would be a request of the user, and the first or the last
 * one. */
static bool
is_request(const struct compaction *c, const struct message *message, uint32_t before)
{
	enum origin origin = message_origin(message);

	/* An artifact, too: an API takes it for the user's words. */
	if (message->role != ROLE_USER || (origin != ORIGIN_NONE && origin != ORIGIN_USER))
		return false;
	return c->request.newest == NONE || before >= c->request.newest ||
	    (c->framing.last != NONE && before <= c->framing.last);
}

/* The invariant that a new message after that entry breaks, or INVARIANTS. */
static enum invariant
find_breach(const struct compaction *c, const struct message *message, uint32_t before)
{
	const struct session *t = c->session;

	if (message->role == ROLE_TOOL || message_has_calls(message) ||
	    message->tool_call_id.type != JSON_ABSENT)
		return INVARIANT_NEW_CALL;
	if (message->role != ROLE_USER && message->role != ROLE_ASSISTANT)
		return INVARIANT_NEW_ROLE;
	if (json_is(message->meta[METADATA_KIND], STR("summary")) ||
	    message->meta[METADATA_FACTS].type != JSON_ABSENT)
		return INVARIANT_NEW_ARTIFACT;
	if (is_outside(t, message))
		return INVARIANT_NEW_AGENT;
	if (has_word_of_log(message))
		return INVARIANT_NEW_WORD;
	if (before == NONE)
		return INVARIANT_NEW_FIRST;
	if (!is_section_of(c, message, before))
		return INVARIANT_NEW_SECTION;
	if (c->framing.last != NONE && before < c->framing.last)
		return INVARIANT_NEW_FRAMING;
	if (is_request(c, message, before))
		return INVARIANT_NEW_REQUEST;
	return t->entry[before].group != NONE &&
		session_is_open(t, &t->group[t->entry[before].group]) ?
	    INVARIANT_BETWEEN :
	    INVARIANTS;
}

static void
check_output(struct exchange *f)
{
	uint32_t before = NONE;

	for (uint32_t i = 0; i < f->out_count; i++) {
		const struct align_record *out = &f->out[i];
		uint32_t entry = out->match != ALIGN_NONE ? f->entry[out->match] : NONE;

		if (out->is_moved)
			invariants_note(&f->broken, INVARIANT_MOVED, f->line[i], NULL);
		if (out->match == ALIGN_NONE) {
			enum invariant breach = INVARIANT_UNKNOWN;
			struct message message;

			message_reread(&message, f->out[i].text);
			if (f->out[i].has_kind)
				breach = find_breach(f->compaction, &message, before);
			if (breach != INVARIANTS)
				invariants_note(&f->broken, breach, f->line[i], NULL);
		}
		if (entry != NONE)
			before = entry;
	}
}

void
exchange_check(struct exchange *f)
{
	uint32_t before = NONE;

	for (uint32_t i = 0; i < f->in_count; i++) {
		before = f->entry[i] != NONE ? f->entry[i] : before;
		check_record(f, i, before);
	}
	check_output(f);
}

void
exchange_check_weight(struct exchange *f, uint32_t mark)
{
	struct session *t = f->compaction->session;

	for (uint32_t i = mark; i < t->change_count; i++) {
		const struct change *change = &t->change[i];

		if (change->kind == CHANGE_TEXT &&
		    weigh_entry(t, change->entry, f->compaction->estimator) > change->before)
			invariants_note_entry(&f->broken, INVARIANT_GREW, t, change->entry, NULL);
	}
}
