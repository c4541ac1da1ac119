#include "policy/normalize/group.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/walk.h"
#include "policy/normalize/mend.h"

void
pair_group_free_list(struct pair_group *group)
{
	while (group != NULL) {
		struct pair_group *older = group->older;

		free(group->slot);
		free(group->has_result);
		free(group->is_named);
		free(group->twin);
		buf_free(&group->kept);
		buf_free(&group->kept_end);
		buf_free(&group->misplaced);
		free(group);
		group = older;
	}
}

struct pair_group *
pair_group_new(struct pair_group **unused, uint32_t calls)
{
	struct pair_group *group = *unused, fresh = {.calls = calls};

	if (group != NULL) {
		*unused = group->older;
		fresh.slot = group->slot;
		fresh.has_result = group->has_result;
		fresh.is_named = group->is_named;
		fresh.cap = group->cap;
		fresh.kept = group->kept;
		fresh.kept_end = group->kept_end;
		fresh.misplaced = group->misplaced;
		buf_reset(&fresh.kept);
		buf_reset(&fresh.kept_end);
		buf_reset(&fresh.misplaced);
	} else {
		group = mem_alloc(1, sizeof *group);
	}
	if (calls > fresh.cap) {
		fresh.cap = calls;
		fresh.slot = mem_realloc(fresh.slot, calls, sizeof *fresh.slot);
		fresh.has_result = mem_realloc(fresh.has_result, calls, sizeof *fresh.has_result);
		fresh.is_named = mem_realloc(fresh.is_named, calls, sizeof *fresh.is_named);
	}
	for (uint32_t i = 0; i < calls; i++)
		fresh.slot[i] = QUEUE_NONE;
	memset(fresh.has_result, 0, calls * sizeof *fresh.has_result);
	*group = fresh;
	return group;
}

/* Keeps the text of a value; of an absent value, an empty text. */
static void
keep(struct pair_group *group, struct json_value value)
{
	if (value.type != JSON_ABSENT)
		buf_add_str(&group->kept, json_span(value));
	buf_add(&group->kept_end, &group->kept.len, sizeof group->kept.len);
}

void
pair_group_add_call(
    struct pair_group *group, const struct message *message, const struct tool_call *call)
{
	size_t texts = group->kept_end.len / sizeof group->kept.len;

	for (; texts < MEND_SHARED; texts++)
		keep(group, message->meta[mend_shared[texts]]);
	group->is_named[(texts - MEND_SHARED) / 2] = call->id.type == JSON_STRING;
	keep(group, mend_id(call));
	keep(group, mend_name(call));
}

void
pair_group_add_twin(struct pair_group *group, uint32_t before, uint32_t call)
{
	if (group->twin == NULL) {
		group->twin = mem_alloc(group->calls, sizeof *group->twin);
		for (uint32_t i = 0; i < group->calls; i++)
			group->twin[i] = (struct pair_twin){i, WALK_NONE, i};
	}
	group->twin[call].first = group->twin[before].first;
	group->twin[before].next = call;
	group->is_named[group->twin[call].first] |= group->is_named[call];
}

bool
pair_group_is_named(const struct pair_group *group, uint32_t call)
{
	return group->is_named[group->twin == NULL ? call : group->twin[call].first];
}

uint32_t
pair_group_take_slot(struct pair_group *group, uint32_t call)
{
	struct pair_twin *first;

	if (group->twin == NULL)
		return call;
	first = &group->twin[group->twin[call].first];
	call = first->due;
	first->due = group->twin[call].next;
	return call;
}

/* The kept text of that number, counted from 0. The number must be one of a kept text. */
static struct str
kept_text(const struct pair_group *group, uint32_t number)
{
	size_t start = 0, end;

	if (number > 0)
		memcpy(&start, group->kept_end.ptr + (number - 1) * sizeof start, sizeof start);
	memcpy(&end, group->kept_end.ptr + number * sizeof end, sizeof end);
	/* where nothing is kept there is no buffer */
	return end > start ? str_of(group->kept.ptr + start, end - start) : STR("");
}

void
pair_group_write_missing(const struct pair_group *group, uint32_t call, struct buf *to)
{
	uint32_t first = MEND_SHARED + 2 * call;
	struct mend_gap gap = {kept_text(group, first), kept_text(group, first + 1), {{NULL, 0}}};

	for (uint32_t i = 0; i < MEND_SHARED; i++)
		gap.shared[i] = kept_text(group, i);
	mend_missing(&gap, to);
}
