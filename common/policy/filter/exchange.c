#include "policy/filter/exchange.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/session/session_locks.h"
#include "json/string.h"
#include "policy/facts/identity.h"
#include "policy/filter/proof.h"

/* What may break: first in a line of the log, then, from MOVED on, in one of what the filter
 * wrote. */
enum {
	DROPPED,
	CHANGED,
	ARTIFACT,
	IDENTITY,
	GREW,
	MOVED,
	UNKNOWN,
	NEW_CALL,
	NEW_ROLE,
	NEW_ARTIFACT,
	NEW_AGENT,
	NEW_SECTION,
	NEW_WORD,
	NEW_FIRST,
	NEW_FRAMING,
	NEW_REQUEST,
	BETWEEN,
	KINDS
};

static const char *const phrases[KINDS] = {
    [DROPPED] = "was dropped and must stay",
    [CHANGED] = "was changed and must stay as it is",
    [ARTIFACT] = "lost the artifact behind it, or it was changed",
    [IDENTITY] = "has another role, call or metadata than before",
    [GREW] = "has more bytes or tokens than before",
    [MOVED] = "is not in order",
    [UNKNOWN] = "is of unknown origin and has no metadata.kind",
    [NEW_CALL] = "is a new call or result",
    [NEW_ROLE] = "is new and of another role than user and assistant",
    [NEW_ARTIFACT] = "would pass for an artifact of ctx-compact",
    [NEW_AGENT] = "is new and of another agent",
    [NEW_SECTION] = "is new and in another section than the message before it",
    [NEW_WORD] = "is new and says of itself what only the log may say",
    [NEW_FIRST] = "is new and stands before the first message",
    [NEW_FRAMING] = "is new and stands before the last message that the user asked first",
    [NEW_REQUEST] = "would pass for what the user asked",
    [BETWEEN] = "is new and stands behind a call that waits for its result",
};

static void
name_all(const struct proof_findings *findings, struct buf *text)
{
	for (int kind = 0; kind < KINDS; kind++)
		proof_name(
		    findings, kind, kind < MOVED ? "line" : "output line", phrases[kind], text);
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
	buf_free(&f->broken);
}

static void
check_record(const struct exchange *f, uint32_t in, uint64_t line, struct proof_findings *findings)
{
	const struct compaction *c = f->compaction;
	const struct align_record *record = &f->in[in];
	uint32_t entry = f->entry[in];
	enum keep keep;

	if (record->is_equal)
		return;
	if (entry == NONE || entry == c->artifact) {
		proof_note(findings, ARTIFACT, line, NULL);
		return;
	}
	keep = (enum keep)c->keep[entry];
	if (record->match == ALIGN_NONE) {
		if (keep > KEEP_NOT)
			proof_note(findings, DROPPED, line, keep_name(keep));
		return;
	}
	if (keep > KEEP_UNRESOLVED)
		proof_note(findings, CHANGED, line, keep_name(keep));
	else if (!identity_is_kept(record->text, f->out[record->match].text))
		proof_note(findings, IDENTITY, line, NULL);
	else if (f->out[record->match].text.len > record->text.len)
		proof_note(findings, GREW, line, NULL);
}

/* Reads the input in its order, with the lines of the log. */
static void
check_input(const struct exchange *f, struct proof_findings *findings)
{
	const struct session *t = f->compaction->session;
	uint32_t at = 0;
	uint64_t line = 0;

	for (uint32_t i = 0; i < f->in_count; i++) {
		uint32_t entry = f->entry[i];

		for (; entry != NONE && at <= entry; at++)
			line += !t->entry[at].is_continued;
		check_record(f, i, line, findings);
	}
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

/* What breaks when the new message stands behind that entry, or KINDS. */
static int
find_breach(const struct compaction *c, const struct message *message, uint32_t before)
{
	const struct session *t = c->session;

	if (message->role == ROLE_TOOL || message_has_calls(message) ||
	    message->tool_call_id.type != JSON_ABSENT)
		return NEW_CALL;
	if (message->role != ROLE_USER && message->role != ROLE_ASSISTANT)
		return NEW_ROLE;
	if (json_is(message->meta[METADATA_KIND], STR("summary")) ||
	    message->meta[METADATA_FACTS].type != JSON_ABSENT)
		return NEW_ARTIFACT;
	if (is_outside(t, message))
		return NEW_AGENT;
	if (has_word_of_log(message))
		return NEW_WORD;
	if (before == NONE)
		return NEW_FIRST;
	if (!is_section_of(c, message, before))
		return NEW_SECTION;
	if (c->framing.last != NONE && before < c->framing.last)
		return NEW_FRAMING;
	if (is_request(c, message, before))
		return NEW_REQUEST;
	return t->entry[before].group != NONE &&
		session_is_open(t, &t->group[t->entry[before].group]) ?
	    BETWEEN :
	    KINDS;
}

static void
check_new(const struct exchange *f, uint32_t out, uint32_t before, struct proof_findings *findings)
{
	int breach = UNKNOWN;
	struct message message;

	message_reread(&message, f->out[out].text);
	if (f->out[out].has_kind)
		breach = find_breach(f->compaction, &message, before);
	if (breach != KINDS)
		proof_note(findings, breach, f->line[out], NULL);
}

static void
check_output(const struct exchange *f, struct proof_findings *findings)
{
	uint32_t before = NONE;

	for (uint32_t i = 0; i < f->out_count; i++) {
		const struct align_record *out = &f->out[i];
		uint32_t entry = out->match != ALIGN_NONE ? f->entry[out->match] : NONE;

		if (out->is_moved)
			proof_note(findings, MOVED, f->line[i], NULL);
		if (out->match == ALIGN_NONE)
			check_new(f, i, before, findings);
		if (entry != NONE)
			before = entry;
	}
}

void
exchange_check(struct exchange *f)
{
	struct proof_findings findings = {.count = {0}};

	check_input(f, &findings);
	check_output(f, &findings);
	name_all(&findings, &f->broken);
}

void
exchange_check_weight(struct exchange *f, uint32_t mark)
{
	struct compaction *c = f->compaction;
	struct session *t = c->session;
	struct proof_findings findings = {.count = {0}};
	uint64_t line = 0;
	uint32_t at = 0;

	for (uint32_t i = mark; i < t->change_count; i++) {
		const struct change *change = &t->change[i];

		if (change->kind != CHANGE_TEXT)
			continue;
		for (; at <= change->entry; at++)
			line += !t->entry[at].is_continued;
		if (weigh_entry(t, change->entry, c->estimator) > change->before)
			proof_note(&findings, GREW, line, NULL);
	}
	name_all(&findings, &f->broken);
}
