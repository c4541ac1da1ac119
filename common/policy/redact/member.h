#ifndef REDACT_MEMBER_H
#define REDACT_MEMBER_H

/*
 * Members whose strings stay whatever they hold. A provider refuses thinking whose signature
 * changed, and records that name another by its id would no longer find it if the id changed.
 */

#include "json/leaves.h"

/* Whether a string, the leaf at hand, stays. is_nested: the text is the content of a string.
 * is_result: the record is a message of role tool, whose content is a tool's output. */
bool member_keeps(const struct json_leaves *leaves, bool is_nested, bool is_result);

/* Whether a member of that name has an id of a record or a call, or names one. */
bool member_is_id(struct json_value name);

#endif
