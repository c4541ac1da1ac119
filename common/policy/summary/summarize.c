/*
 * summarize: the oldest stretch between the protected head and the recency window becomes one
 * artifact with a digest (policy/digest/digest.h), as much of it as the target requires. Pinned and
 * unresolved groups are left out and keep their place after the artifact. An earlier artifact is
 * brought up to date. The most valuable entries are dropped last.
 */

#include "policy/compact/transform.h"
#include "policy/drop/drop_how.h"

enum { SUMMARIZED, ADDED, UPDATED, TOLD, TOLD_AGAIN };

static const struct change_rule rules[] = {
    [SUMMARIZED] = {STR_INIT("summarized"), STR_INIT("summarize"), STR_INIT("oldest"),
	STR_INIT("")},
    [ADDED] = {STR_INIT(""), STR_INIT("add"), STR_INIT("digest of summarized messages"),
	STR_INIT("")},
    [UPDATED] = {STR_INIT(""), STR_INIT("update"), STR_INIT("digest of summarized messages"),
	STR_INIT("")},
    [TOLD] = {STR_INIT(""), STR_INIT("add"), STR_INIT("summary by the command"), STR_INIT("")},
    [TOLD_AGAIN] = {STR_INIT(""), STR_INIT("update"), STR_INIT("summary by the command"),
	STR_INIT("")},
};

static const struct drop_how how = {&rules[SUMMARIZED], &rules[ADDED], &rules[UPDATED],
    &rules[TOLD], &rules[TOLD_AGAIN], true, false};

const struct transform summarize_transform = {
    STR_INIT("summarize"), rules, ARRAY_COUNT(rules), &how};
