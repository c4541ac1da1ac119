#include "sections.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"
#include "data/session/session_builder.h"
#include "policy/clear.h"

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

/* Clears a section, and notes what stays in it. */
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
