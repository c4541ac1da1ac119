#include "policy/budget/overflow.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/metadata.h"
#include "data/session/session_locks.h"
#include "json/edit.h"
#include "policy/facts/facts.h"
#include "policy/summary/summary.h"
#include "policy/framing.h"

struct sorting {
	struct session *session;
	struct estimator *estimator;
	enum size_unit unit;
	struct framing framing;
	uint32_t newest; /* the newest message of the section, or the call of its group; or NONE */
	bool *moves;     /* by entry: the call message, or a message without a group */
	uint32_t *turn;  /* by turn: the number of its messages in the section */
	uint64_t left;   /* what is in the section, in that unit */
};

static bool
is_in_messages(struct session *t, const struct entry *entry)
{
	return session_is_in_section(t, entry, STR("messages"));
}

/* The number of messages that the turn of the entry has in the section. */
static uint32_t *
turn_of(const struct sorting *s, uint32_t index)
{
	return &s->turn[session_head(s->session, &s->session->entry[index])->turn];
}

/* How much of the size a message takes, if the size is not in turns. */
static uint64_t
weight(struct sorting *s, uint32_t index)
{
	return s->unit == SIZE_MESSAGES ? 1 : weigh_entry(s->session, index, s->estimator);
}

static void
take_out(struct sorting *s, uint32_t index)
{
	s->left -= s->unit == SIZE_TURNS ? --*turn_of(s, index) == 0 : weight(s, index);
}

/* Calls visit for all messages of the unit: a message without a group, or a group. */
static void
visit_unit(struct sorting *s, uint32_t head, void (*visit)(struct sorting *s, uint32_t index))
{
	for (uint32_t at = 0, i; (i = session_unit_member(s->session, head, &at)) != NONE;)
		visit(s, i);
}

/* Whether metadata of the message can say a section. */
static bool
has_place(const struct entry *entry)
{
	struct message message;

	entry_parse(entry, &message);
	return message.metadata.type != JSON_ABSENT || message.home != METADATA_NOWHERE;
}

/* Open failures and what the user asked last may move: nothing is lost, since no compaction takes
 * them from the buffer. */
static bool
may_move(const struct sorting *s, uint32_t head)
{
	struct session *t = s->session;
	const struct entry *entry = &t->entry[head];

	if (role_is_system(entry->role) || entry->role == ROLE_OTHER || head == s->newest ||
	    framing_has(t, &s->framing, head))
		return false;
	return session_section_lock(t, entry) == LOCK_NONE && has_place(entry);
}

static void
measure(struct sorting *s)
{
	struct session *t = s->session;

	for (uint32_t i = 0; i < t->count; i++)
		if (is_in_messages(t, &t->entry[i])) {
			s->left += s->unit == SIZE_TURNS ? (*turn_of(s, i))++ == 0 : weight(s, i);
			if (t->entry[i].role != ROLE_OTHER)
				s->newest = session_head_index(t, i);
		}
}

/* Chooses the oldest units, until what is left of the section fits. */
static void
choose(struct sorting *s, uint64_t most)
{
	struct session *t = s->session;

	for (uint32_t i = 0; i < t->count && s->left > most; i++) {
		if (!session_is_head(t, i) || !is_in_messages(t, &t->entry[i]) || !may_move(s, i))
			continue;
		s->moves[i] = true;
		visit_unit(s, i, take_out);
	}
}

static void
move(struct sorting *s, uint32_t index)
{
	static const struct change_rule rule = {
	    STR_INIT("moved"), STR_INIT("move"), STR_INIT("overflow"), STR_INIT("")};
	const struct metadata_member member = {METADATA_SECTION, STR("\"buffer\"")};
	struct buf text = BUF_INIT;
	struct message message;
	struct json_edit edit;

	entry_parse(&s->session->entry[index], &message);
	json_edit_init(&edit, entry_text(&s->session->entry[index]));
	if (metadata_set(&edit, &message, &member, 1)) {
		json_edit_write(&edit, &text);
		change_text(s->session, index, &rule, buf_str(&text));
	}
	json_edit_free(&edit);
	buf_free(&text);
}

bool
overflow_run(
    struct session *t, struct size size, struct estimator *estimator, struct overflow *overflow)
{
	struct sorting s = {.session = t,
	    .estimator = estimator,
	    .unit = size.unit,
	    .framing = framing_find(t, facts_framing(t, summary_find(t))),
	    .newest = NONE};
	uint32_t mark = change_mark(t);

	s.moves = mem_alloc((size_t)t->count + 1, sizeof *s.moves);
	memset(s.moves, 0, ((size_t)t->count + 1) * sizeof *s.moves);
	s.turn = mem_alloc((size_t)t->turn_count + 1, sizeof *s.turn);
	memset(s.turn, 0, ((size_t)t->turn_count + 1) * sizeof *s.turn);
	s.turn[0] = 1; /* what stands before the first turn begins none, and ends none */
	measure(&s);
	choose(&s, size.value);
	for (uint32_t i = 0; i < t->count && s.left <= size.value; i++)
		if (s.moves[i])
			visit_unit(&s, i, move);
	*overflow = (struct overflow){change_mark(t) - mark, s.left};
	free(s.moves);
	free(s.turn);
	return s.left <= size.value;
}
