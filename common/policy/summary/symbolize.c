/*
 * symbolize: the stretch that summarize would take becomes one artifact with one line for each
 * message (policy/digest/symbol.h). The lines of an earlier artifact stay in front; when there is
 * no room for all lines, the oldest go.
 */

#include "policy/compact/drop.h"
#include "policy/compact/transform.h"

enum { SYMBOLIZED, ADDED, UPDATED, TOLD, TOLD_AGAIN };

static const struct change_rule rules[] = {
    [SYMBOLIZED] = {STR_INIT("symbolized"), STR_INIT("symbolize"), STR_INIT("oldest"),
	STR_INIT("")},
    [ADDED] = {STR_INIT(""), STR_INIT("add"), STR_INIT("symbols of messages"), STR_INIT("")},
    [UPDATED] = {STR_INIT(""), STR_INIT("update"), STR_INIT("symbols of messages"), STR_INIT("")},
    [TOLD] = {STR_INIT(""), STR_INIT("add"), STR_INIT("symbols by the command"), STR_INIT("")},
    [TOLD_AGAIN] = {STR_INIT(""), STR_INIT("update"), STR_INIT("symbols by the command"),
	STR_INIT("")},
};

const struct drop_how symbolize_how = {&rules[SYMBOLIZED], &rules[ADDED], &rules[UPDATED],
    &rules[TOLD], &rules[TOLD_AGAIN], true, true};

static void
prepare(struct compaction *c)
{
	drop_prepare(c, &symbolize_how);
}

static void
run(struct compaction *c)
{
	drop_run(c, &symbolize_how);
}

const struct transform symbolize_transform = {
    STR_INIT("symbolize"), prepare, run, rules, sizeof rules / sizeof rules[0], NULL};
