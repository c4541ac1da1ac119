/*
 * truncate: whole groups and messages are dropped, oldest first, until the target is met, and leave
 * one artifact that names files and failures (policy/drop/drop.h). If summarize is in the pipeline,
 * summarize does that. If it is not enough, the middles of the longest messages are cut.
 */

#include "policy/compact/edit_rows.h"
#include "policy/compact/shorten_entry.h"
#include "policy/compact/transform.h"
#include "policy/drop/drop_how.h"

enum { DROPPED, CUT, ADDED, UPDATED };

static const struct change_rule rules[] = {
    [DROPPED] = {STR_INIT("dropped"), STR_INIT("drop"), STR_INIT("oldest"), STR_INIT("")},
    [CUT] = {STR_INIT("cut"), STR_INIT("cut"), STR_INIT("longest"), STR_INIT("")},
    [ADDED] = {STR_INIT(""), STR_INIT("add"), STR_INIT("facts of dropped messages"), STR_INIT("")},
    [UPDATED] = {STR_INIT(""), STR_INIT("update"), STR_INIT("facts of dropped messages"),
	STR_INIT("")},
};

static const struct drop_how how = {
    &rules[DROPPED], &rules[ADDED], &rules[UPDATED], NULL, NULL, false, false};

static bool
is_long(const struct edit_walk *walk, uint32_t index)
{
	const struct compaction *c = walk->compaction;

	return compaction_may_change(c, index) &&
	    c->session->entry[index].len > c->options->prune_over;
}

static const struct edit edits[] = {
    {EDIT_RUN, EDIT_ROUND, KEEP_NOT, KEEP_SIBLING, EDIT_LARGEST, EDIT_FITS, &rules[CUT], is_long,
	SHORTEN_ANY_TEXT},
    {.rule = NULL},
};

const struct transform truncate_transform = {
    STR_INIT("truncate"), rules, ARRAY_COUNT(rules), &how, edits};
