#include "face/sessions/gathered.h"

#include <stdlib.h>

static int
compare(const void *a, const void *b)
{
	const struct gathered_record *x = a, *y = b;

	if (x->anchor != y->anchor)
		return x->anchor < y->anchor ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

void
gathered_add(struct queue *gathered, const struct record *record, const struct lane *lane)
{
	bool is_aside = record->state == RECORD_ASIDE;
	struct gathered_record *added = queue_add(gathered, record, FATE_FINAL);

	added->anchor = is_aside ? record->line.place :
	    lane->anchor > 0     ? lane->anchor :
				   lane->begin;
	added->number = gathered->end;
}

void
gathered_emit(struct queue *gathered, struct stage *stage)
{
	if (!queue_is_empty(gathered))
		qsort(queue_at(gathered, gathered->first), gathered->end - gathered->first,
		    gathered->size, compare);
	queue_emit(gathered, stage);
}
