#include "policy/filter/exchange.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/session/session_locks.h"
#include "json/string.h"
#include "policy/facts/identity.h"

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

/* Whether it says what keeps a message, or settles a failure, or begins an execution. */
static bool
has_word_of_log(const struct message *message)
{
	static const enum metadata_name names[] = {METADATA_PINNED, METADATA_CRITICAL,
	    METADATA_IS_ERROR, METADATA_RESOLVED, METADATA_RESOLVES, METADATA_EXECUTION_ID};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (message->meta[names[i]].type != JSON_ABSENT)
			return true;
	return false;
}

/* Whether a new message behind that entry would be the user's words, and the first or the last of
 * them. */
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

/* What breaks when the new message stands behind that entry, or INVARIANTS. */
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
check_new(struct exchange *f, uint32_t out, uint32_t before)
{
	enum invariant breach = INVARIANT_UNKNOWN;
	struct message message;

	message_reread(&message, f->out[out].text);
	if (f->out[out].has_kind)
		breach = find_breach(f->compaction, &message, before);
	if (breach != INVARIANTS)
		invariants_note(&f->broken, breach, f->line[out], NULL);
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
		if (out->match == ALIGN_NONE)
			check_new(f, i, before);
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
