#include "dialects/parts/joined.h"

#include <stdlib.h>

#include "base/list.h"

void
joined_put(struct joined_list *list, struct joined *joined, struct joined *next)
{
	joined->next = next;
	joined->previous = next != NULL ? next->previous : list->last;
	if (joined->previous != NULL)
		joined->previous->next = joined;
	else
		list->first = joined;
	if (next != NULL)
		next->previous = joined;
	else
		list->last = joined;
}

void
joined_take(struct joined_list *list, struct joined *joined)
{
	if (joined->previous != NULL)
		joined->previous->next = joined->next;
	else
		list->first = joined->next;
	if (joined->next != NULL)
		joined->next->previous = joined->previous;
	else
		list->last = joined->previous;
}

void
joined_enter_thread(struct joined *joined)
{
	struct joiner_thread *thread = joined->thread;

	if (thread == NULL)
		return;
	joined->older = thread->last;
	if (thread->last != NULL)
		thread->last->newer = joined;
	thread->last = joined;
}

void
joined_leave_thread(struct joined *joined)
{
	if (joined->older != NULL)
		joined->older->newer = joined->newer;
	if (joined->newer != NULL)
		joined->newer->older = joined->older;
	else if (joined->thread != NULL)
		joined->thread->last = joined->older;
}

/* By as many lists as there are sessions. */
void
joined_part(struct joined_list *list)
{
	struct joined *rest = list->first, **last = NULL;
	size_t count = 0, cap = 0, at = 0;

	if (rest == NULL)
		return;
	list->first = list->last = NULL;
	while (rest != NULL) {
		struct joined *joined = rest;

		rest = joined->next;
		at = joined->session != NULL ? joined->session->index : at;
		for (; count <= at; count++) {
			LIST_ROOM(last, count, cap);
			last[count] = NULL;
		}
		joined->previous = last[at];
		last[at] = joined;
	}
	while (count-- > 0)
		for (struct joined *joined = last[count], *before; joined != NULL;
		     joined = before) {
			before = joined->previous;
			joined_put(list, joined, list->first);
		}
	free(last);
}
