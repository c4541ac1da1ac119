#ifndef REDACT_POINTER_H
#define REDACT_POINTER_H

/*
 * The place of a find, as a JSON Pointer (RFC 6901) that continues into strings that are JSON:
 * /tool_calls/0/function/arguments/env/HOME. "*" replaces a name that is long, or that may hold a
 * secret itself, and "..." the rest of a path that is too deep.
 */

#include "json/leaves.h"
#include "policy/redact/rule_set.h"

/* Appends the path of the leaf at hand. */
void pointer_add(struct buf *path, const struct json_leaves *leaves, const struct rule_set *rules);

#endif
