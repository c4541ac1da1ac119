#include "policy/pick.h"

static void
take_each(struct stage *stage, struct record *record)
{
	struct pick_each *pick = (struct pick_each *)stage;
	struct message read;

	if (record->kind != RECORD_MESSAGE ||
	    selection_has(pick->selection, record_message(record, &read)))
		stage_emit(stage, record);
}

void
pick_each_init(struct pick_each *pick, const struct selection *selection)
{
	*pick = (struct pick_each){
	    .stage = {.take = take_each, .end = stage_pass_end}, .selection = selection};
}

static void
take_count(struct stage *stage, struct record *record)
{
	struct pick_count *count = (struct pick_count *)stage;

	count->messages += record->kind == RECORD_MESSAGE;
	if (!count->stops)
		stage_emit(stage, record);
}

void
pick_count_init(struct pick_count *count, bool stops)
{
	*count = (struct pick_count){
	    .stage = {.take = take_count, .end = stage_pass_end}, .stops = stops};
}
