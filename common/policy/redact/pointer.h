#ifndef REDACT_POINTER_H
#define REDACT_POINTER_H

/*
 * Where something was found, as a JSON Pointer (RFC 6901) that goes on through strings that are
 * JSON: /tool_calls/0/function/arguments/env/HOME. "*" stands for a name that is long, or that may
 * hold a secret itself, and "..." for what is deeper than a path is told.
 */

#include "json/leaves.h"
#include "policy/redact/rule_set.h"

/* Appends the path of the leaf at hand. */
void pointer_add(struct buf *path, const struct json_leaves *leaves, const struct rule_set *rules);

#endif
