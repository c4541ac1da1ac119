#include "data/nested_execution.h"

#include <stdlib.h>

#include "base/list.h"

uint32_t
nested_find(const struct nested_executions *nested, struct hash key)
{
	uint64_t found = map_get(&nested->by_id, key);

	return found != MAP_NONE ? (uint32_t)found : 0;
}

uint32_t
nested_begin(struct nested_executions *nested, struct str id, struct hash key, bool is_user)
{
	const struct nested_execution *last =
	    nested->last != 0 ? &nested->item[nested->last - 1] : NULL;

	is_user |= last != NULL && last->is_asked && last->due > 0;
	LIST_ADD(nested->item, nested->count, nested->cap,
	    (struct nested_execution){.id_at = nested->ids.len,
		.id_len = id.len,
		.newest = UINT32_MAX,
		.is_asked = is_user});
	buf_add_str(&nested->ids, id);
	map_set(&nested->by_id, key, nested->count);
	return nested->count;
}

void
nested_call(struct nested_executions *nested, uint32_t number, uint32_t group, uint32_t calls,
    uint32_t said)
{
	struct nested_execution *at = &nested->item[number - 1];

	at->newest = group;
	at->due = calls;
	at->said = said;
}

bool
nested_answer(struct nested_executions *nested, uint32_t number, uint32_t group, uint32_t said)
{
	struct nested_execution *at = &nested->item[number - 1];
	bool is_placed = group == at->newest && at->said == said;

	at->due -= is_placed;
	return is_placed;
}

/* Makes the one of that number, or 0, the innermost one that is current. */
static void
go_to(struct nested_executions *nested, uint32_t number)
{
	struct nested_execution *at;

	if (number != 0 && !nested->item[number - 1].is_current) {
		at = &nested->item[number - 1];
		at->is_current = true;
		at->under = nested->current;
		nested->current = number;
		return;
	}
	while (nested->current != number) {
		at = &nested->item[nested->current - 1];
		at->is_current = false;
		nested->current = at->under;
	}
}

void
nested_take(struct nested_executions *nested, uint32_t number, bool is_result, bool is_user)
{
	struct nested_execution *at = &nested->item[number - 1];

	nested->last = number;
	if (!is_result) {
		at->newest = UINT32_MAX;
		at->due = 0;
	}
	at->is_asked |= is_user;
	if (!at->is_asked)
		go_to(nested, number);
	else if (at->is_current)
		go_to(nested, at->under);
}

void
nested_leave(struct nested_executions *nested)
{
	nested->last = 0;
	go_to(nested, 0);
}

struct str
nested_id(const struct nested_executions *nested, uint32_t number)
{
	const struct nested_execution *at = &nested->item[number - 1];

	return str_of(nested->ids.ptr + at->id_at, at->id_len);
}

void
nested_free(struct nested_executions *nested)
{
	free(nested->item);
	buf_free(&nested->ids);
	map_free(&nested->by_id);
	*nested = (struct nested_executions){.count = 0};
}
