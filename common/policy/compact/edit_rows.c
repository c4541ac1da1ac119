#include "policy/compact/edit_rows.h"

#include <stdlib.h>

#include "base/mem.h"
#include "policy/compact/shorten_entry.h"
#include "policy/compact/transform.h"
#include "policy/drop/drop_how.h"
#include "policy/text/rewrite.h"

bool
edit_rows_may_touch(const struct edit *edit, const struct compaction *c, uint32_t index)
{
	return c->keep[index] != KEEP_DOOMED && c->keep[index] >= edit->weakest &&
	    c->keep[index] <= edit->strongest && !c->session->entry[index].is_dropped;
}

/* Whether the row at hand applies to the entry. */
static bool
applies(const struct edit_walk *walk, uint32_t index)
{
	const struct edit *edit = walk->edit;

	if (walk->judged != NULL && walk->judged[index] != edit->rule - walk->transform->rules)
		return false;
	return edit->applies != NULL ? edit->applies(walk, index) :
				       compaction_may_change(walk->compaction, index);
}

static void
write(const struct edit_walk *walk, uint32_t index)
{
	struct compaction *c = walk->compaction;
	const struct edit *edit = walk->edit;
	struct shorten how = shorten_entry_how(c, index, edit->shortens);

	how.keep = (size_t)walk->level;
	if (edit->write != NULL)
		edit->write(walk, index);
	else if (edit->shortens != 0)
		shorten_entry(c, index, how, edit->rule);
	else
		rewrite_content(
		    c->session, index, edit->rule, edit->rule->placeholder, c->estimator);
}

/* By goals, an entry that is still wanted after one row also gets the next one. */
static void
edit_entry(struct edit_walk *walk, const struct edit *first, uint32_t index)
{
	struct compaction *c = walk->compaction;

	if (walk->by_goals && (!compaction_is_wanted(c, index) || !compaction_may_change(c, index)))
		return;
	for (walk->edit = first; walk->edit == first || walk->edit->link == EDIT_ALSO;
	     walk->edit++) {
		uint32_t mark = change_mark(c->session);

		if (!applies(walk, index))
			continue;
		write(walk, index);
		if (!walk->by_goals)
			return;
		compaction_settle_goals(c, index, mark);
		if (!compaction_is_wanted(c, index))
			return;
	}
}

static bool
is_enough(struct compaction *c, enum edit_until until)
{
	if (until == EDIT_ROOM)
		return compaction_used(c) <= c->options->room;
	if (until == EDIT_DONE)
		return compaction_is_done(c);
	return until <= EDIT_TARGET && compaction_fits(c);
}

/* Of two entries, the one with more tokens comes first, and of equal ones the older one. */
static int
compare(const void *left, const void *right)
{
	const struct entry *a = *(const struct entry *const *)left;
	const struct entry *b = *(const struct entry *const *)right;

	if (a->tokens != b->tokens)
		return a->tokens > b->tokens ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Lists the entries of the walk in their order. Returns how many they are. */
static uint32_t
list(const struct edit_walk *walk, const struct edit *first, const struct entry **list)
{
	const struct compaction *c = walk->compaction;
	uint32_t count = 0;

	for (uint32_t i = 0; i < c->session->count; i++)
		if (edit_rows_may_touch(first, c, i) &&
		    (first->order != EDIT_BY_EXECUTION || compaction_is_in(c, i, walk->is_current)))
			list[count++] = &c->session->entry[i];
	if (first->order == EDIT_LARGEST && count > 0)
		qsort(list, count, sizeof *list, compare);
	return count;
}

static void
run_walk(struct edit_walk *walk, const struct edit *first)
{
	struct compaction *c = walk->compaction;
	const struct entry **entry = NULL;
	uint32_t count;

	if (is_enough(c, first->until == EDIT_TARGET ? EDIT_ROOM : first->until))
		return;
	walk->edit = first;
	walk->by_goals = first->until == EDIT_GOALS ||
	    (first->until == EDIT_ALL_WANTED && compaction_is_done(c));
	if (walk->by_goals)
		goals_measure(&c->goals);
	walk->level = first->level != NULL ? first->level(walk) : 0;
	entry = mem_alloc((size_t)c->session->count + 1, sizeof *entry);
	count = list(walk, first, entry);
	for (uint32_t i = 0; i < count && !is_enough(c, first->until); i++)
		edit_entry(walk, first, (uint32_t)(entry[i] - c->session->entry));
	free(entry);
}

uint64_t
edit_rows_level(const struct edit_walk *walk, uint32_t entries, uint64_t least, uint64_t above,
    uint64_t wanted,
    uint64_t (*saved)(const struct edit_walk *walk, uint32_t entry, uint64_t level))
{
	while (least + 1 < above) {
		uint64_t middle = least + (above - least) / 2, sum = 0;

		for (uint32_t i = 0; i < entries; i++)
			sum += saved(walk, i, middle);
		if (sum >= wanted)
			least = middle;
		else
			above = middle;
	}
	return least;
}

/* Makes the walks of a round. Returns the row after the round. */
static const struct edit *
run_round(struct edit_walk *walk, const struct edit *round)
{
	const struct edit *end = round + 1;

	while (end->link != EDIT_ROUND)
		end++;
	for (unsigned current = round->order != EDIT_BY_EXECUTION; current <= 1; current++) {
		walk->is_current = current;
		for (const struct edit *row = round; row < end; row++)
			if (row->link != EDIT_ALSO)
				run_walk(walk, row);
	}
	return end;
}

/* Counts the tokens that decide about edits of that time. Returns whether it is time for them. */
static bool
is_time(struct compaction *c, enum edit_when when)
{
	if (when == EDIT_REQUESTS && c->cuts_requests)
		compaction_weigh(c, KEEP_WINDOW);
	if (when != EDIT_FLOOR)
		return when != EDIT_REQUESTS || c->cuts_requests;
	if (drop_how_of(c->options->pipeline) == NULL)
		return false;
	compaction_weigh(c, KEEP_SIBLING);
	/* A digest will take some of the room. */
	c->used += drop_how_reserve(c);
	return c->used + drop_how_wants(c) - drop_how_reserve(c) > c->options->room &&
	    weigh_exceeds(c->session, c->options->room, c->estimator);
}

void
edit_rows_run(struct compaction *c, const struct transform *transform, enum edit_when when)
{
	struct edit_walk walk = {.compaction = c, .transform = transform};
	const struct edit *row = transform->edits;
	uint8_t *judged = NULL;

	while (row != NULL && row->rule != NULL && row->when != when)
		row++;
	if (row == NULL || row->rule == NULL || !is_time(c, when))
		return;
	if (transform->judge != NULL)
		walk.judged = judged = transform->judge(c);
	while (row->rule != NULL && row->when == when)
		row = run_round(&walk, row);
	free(judged);
}

bool
edit_rows_reach_requests(const struct transform *const *pipeline)
{
	for (; *pipeline != NULL; pipeline++)
		for (const struct edit *row = (*pipeline)->edits; row != NULL && row->rule != NULL;
		     row++)
			if (row->weakest <= KEEP_REQUEST && row->strongest >= KEEP_REQUEST)
				return true;
	return false;
}
