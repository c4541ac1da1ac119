#include "sections.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"
#include "data/message/metadata.h"
#include "data/session/session_builder.h"
#include "policy/clear.h"
#include "policy/facts/facts.h"
#include "policy/summary/summary.h"

struct sorting {
	struct session *session;
	struct estimator *estimator;
	enum size_unit unit;
	struct framing framing;
	uint32_t newest; /* the newest message of the section, or the call of its group; or NONE */
	bool *moves;     /* by entry: the call message, or a message without a group */
	uint32_t *turn;  /* by turn: the number of its messages in the section */
	uint64_t left;   /* the size of the section, in that unit */
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

/* Open failures and the user's last request may move: they are not lost, since no compaction takes
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

/* Chooses the oldest units, until the rest of the section fits. */
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

/* Changes the session, which has ended, so that its section "messages" has at most the size: tokens
 * (SIZE_PLAIN), messages or turns. Returns false with nothing changed when the rest does not
 * fit. */
static bool
overflow_run(struct session *t, struct size size, struct estimator *estimator,
    struct sections_overflow *overflow)
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
	s.turn[0] = 1; /* a message before the first turn begins no turn, and ends none */
	measure(&s);
	choose(&s, size.value);
	for (uint32_t i = 0; i < t->count && s.left <= size.value; i++)
		if (s.moves[i])
			visit_unit(&s, i, move);
	*overflow = (struct sections_overflow){change_mark(t) - mark, s.left};
	free(s.moves);
	free(s.turn);
	return s.left <= size.value;
}

void
sections_check(const struct option_list *clear)
{
	for (unsigned i = 0; i < clear->count; i++)
		if (clear->item[i][0] == '\0')
			options_fail("bad value '' of --clear, expected the name of a section");
}

static void
take(struct stage *stage, struct record *record)
{
	struct sections *sections = (struct sections *)stage;

	LIST_ADD(sections->origin, sections->count, sections->cap,
	    (struct sections_origin){
		record->line.file, record->line.number, record->state, LOCK_NONE, NULL});
	held_take(stage, record);
}

static void
keep_original(struct stage *stage, struct record *record)
{
	queue_add(&((struct sections_original *)stage)->queue, record, FATE_FINAL);
	stage_emit(stage, record);
}

/* Clears a section, and notes the messages that stay in it. */
static void
clear(struct sections *sections, const char *name)
{
	struct session *t = &sections->held.session;
	enum group_lock *stays = mem_alloc((size_t)t->count + 1, sizeof *stays);

	clear_section(t, str_from(name), stays);
	for (uint32_t i = 0; i < t->count; i++)
		if (stays[i] != LOCK_NONE) {
			sections->origin[i].stays = stays[i];
			sections->origin[i].section = name;
		}
	free(stays);
}

static void
end(struct stage *stage)
{
	struct sections *sections = (struct sections *)stage;
	struct session *t = &sections->held.session;

	session_end(t);
	for (unsigned i = 0; i < sections->clear->count; i++)
		clear(sections, sections->clear->item[i]);
	sections->cleared = change_mark(t);
	if (sections->most.unit == SIZE_PLAIN && sections->estimator->kind == ESTIMATOR_COMMAND)
		estimate_session(sections->estimator, t); /* all texts in one run */
	if (sections->most.unit != SIZE_UNSET)
		sections->fits =
		    overflow_run(t, sections->most, sections->estimator, &sections->overflow);
	if (fault_is_set(stage->fault))
		return;
	if (sections->fits) {
		for (uint32_t i = 0; i < t->count; i++) {
			struct record record;

			if (t->entry[i].is_dropped)
				continue;
			held_record(&sections->held, i, &record);
			if (record.state == RECORD_GIVEN)
				record.state = sections->origin[i].state;
			stage_emit(&sections->held.stage, &record);
		}
	} else {
		queue_emit(&sections->original.queue, stage);
	}
}

void
sections_init(struct sections *sections, struct size most, const struct option_list *clear,
    struct estimator *estimator, const struct common_options *options)
{
	*sections =
	    (struct sections){.most = most, .clear = clear, .estimator = estimator, .fits = true};
	held_init(&sections->held, end);
	sections->original =
	    (struct sections_original){.stage = {.take = keep_original, .end = stage_pass_end},
		.queue = QUEUE_OF(struct queue_item)};
	sections->held.stage.take = take;
	run_set_session(&sections->held.session, NULL, options);
}

static void
name_what_stays(const struct sections *sections, bool names_all)
{
	enum { NAMED = 10 };
	static const char *const reasons[] = {
	    [LOCK_OPEN] = "open",
	    [LOCK_FROZEN] = "a bad line may be part of it",
	    [LOCK_PINNED] = "pinned",
	};
	uint64_t count = 0;

	for (size_t i = 0; i < sections->count; i++) {
		const struct sections_origin *origin = &sections->origin[i];

		if (origin->stays != LOCK_NONE && (count++ < NAMED || names_all))
			diag_warn_at(origin->file, origin->line, "stays in section '%s': %s",
			    origin->section, reasons[origin->stays]);
	}
	if (count > NAMED && !names_all)
		diag_warn("and %ju more stay", (uintmax_t)(count - NAMED));
}

void
sections_finish(const struct sections *sections, struct run *run, struct sections_sums *sums)
{
	if (!sections->fits) {
		static const char *const units[] = {
		    [SIZE_PLAIN] = "tokens", [SIZE_MESSAGES] = "messages", [SIZE_TURNS] = "turns"};

		diag_warn(
		    "section messages does not fit, and nothing is changed: %s %s are the least, "
		    "%s are allowed",
		    number_grouped(sections->overflow.least).text, units[sections->most.unit],
		    number_grouped(sections->most.value).text);
		run_fail(run, STATUS_NO);
	} else {
		name_what_stays(sections, run->options->verbose);
		sums->cleared += sections->cleared;
	}
	sums->moved += sections->overflow.moved;
}

void
sections_free(struct sections *sections)
{
	held_free(&sections->held);
	queue_free(&sections->original.queue);
	free(sections->origin);
}
