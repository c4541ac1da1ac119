/*
 * symbolize: the stretch that summarize would take becomes one artifact with one line for each
 * message (policy/digest/symbol.h). The lines of an earlier artifact stay first; if there is no
 * room for all lines, the oldest are dropped.
 */

#include "policy/compact/transform.h"
#include "policy/drop/drop_how.h"

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

static const struct drop_how how = {&rules[SYMBOLIZED], &rules[ADDED], &rules[UPDATED],
    &rules[TOLD], &rules[TOLD_AGAIN], true, true};

const struct transform symbolize_transform = {
    STR_INIT("symbolize"), rules, ARRAY_COUNT(rules), &how};
