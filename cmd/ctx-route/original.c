#include "original.h"

#include <stdlib.h>

#include "base/list.h"

static void
take(struct stage *stage, struct record *record)
{
	struct original *original = (struct original *)stage;

	LIST_ROOM(original->record, original->count, original->cap);
	record_hold(&original->record[original->count++], record);
	stage_emit(stage, record);
}

void
original_init(struct original *original)
{
	*original = (struct original){.stage = {.take = take, .end = stage_pass_end}};
}

void
original_emit(const struct original *original, struct stage *from)
{
	for (size_t i = 0; i < original->count; i++)
		stage_emit_held(from, &original->record[i]);
}

void
original_free(struct original *original)
{
	for (size_t i = 0; i < original->count; i++)
		record_release(&original->record[i]);
	free(original->record);
}
