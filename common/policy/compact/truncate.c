/*
 * truncate: whole groups and messages go, oldest first, until the target is met, and leave one
 * artifact that names files and failures (policy/compact/drop.h). Where summarize stands in the
 * pipeline, that is its work. If it is not enough, the middles of the longest messages go.
 */

#include <stdlib.h>

#include "base/list.h"
#include "policy/compact/drop.h"
#include "policy/compact/shorten.h"
#include "policy/compact/transform.h"
#include "policy/text/recall.h"
#include "policy/text/rewrite.h"

enum { DROPPED, CUT, ADDED, UPDATED };

static const struct change_rule rules[] = {
    [DROPPED] = {STR_INIT("dropped"), STR_INIT("drop"), STR_INIT("oldest"), STR_INIT("")},
    [CUT] = {STR_INIT("cut"), STR_INIT("cut"), STR_INIT("longest"), STR_INIT("")},
    [ADDED] = {STR_INIT(""), STR_INIT("add"), STR_INIT("facts of dropped messages"), STR_INIT("")},
    [UPDATED] = {STR_INIT(""), STR_INIT("update"), STR_INIT("facts of dropped messages"),
	STR_INIT("")},
};

struct longest {
	uint32_t entry;
	uint32_t tokens;
};

static int
compare_longest(const void *left, const void *right)
{
	const struct longest *a = left, *b = right;

	if (a->tokens != b->tokens)
		return a->tokens > b->tokens ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

static void
cut_entry(struct compaction *c, uint32_t index)
{
	struct shorten how = {.over = c->options->prune_over,
	    .in_tokens = c->options->prune_in_tokens ? c->estimator : NULL,
	    .texts = true};
	struct message message;
	struct json_edit edit;

	entry_parse(&c->session->entry[index], &message);
	how.recall = recall_clause(c->session, index);
	json_edit_init(&edit, entry_text(&c->session->entry[index]));
	shorten_content(&message, &how, &edit);
	if (edit.count > 0)
		rewrite_edit(
		    c->session, index, &rules[CUT], &message, &edit, STR(""), c->estimator);
	json_edit_free(&edit);
}

static void
cut_longest(struct compaction *c)
{
	struct longest *list = NULL;
	size_t count = 0, cap = 0;

	for (uint32_t i = 0; i < c->session->count; i++) {
		if (!compaction_may_change(c, i) ||
		    c->session->entry[i].len <= c->options->prune_over)
			continue;
		LIST_ROOM(list, count, cap);
		list[count++] = (struct longest){i, c->session->entry[i].tokens};
	}
	if (count > 0)
		qsort(list, count, sizeof *list, compare_longest);
	for (size_t i = 0; i < count && !compaction_fits(c); i++)
		cut_entry(c, list[i].entry);
	free(list);
}

static const struct drop_how how = {
    &rules[DROPPED], &rules[ADDED], &rules[UPDATED], NULL, NULL, false, false};

static void
prepare(struct compaction *c)
{
	if (!drop_keeps_by_value(c))
		drop_prepare(c, &how);
}

static void
run(struct compaction *c)
{
	if (!drop_keeps_by_value(c))
		drop_run(c, &how);
	if (!c->is_unsure && !compaction_fits(c))
		cut_longest(c);
}

const struct transform truncate_transform = {
    STR_INIT("truncate"), prepare, run, rules, sizeof rules / sizeof rules[0], NULL};
