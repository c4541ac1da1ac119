#ifndef REDACT_MEMBER_H
#define REDACT_MEMBER_H

/*
 * Members whose strings stay whatever they hold. A provider refuses thinking whose signature
 * changed, and a record whose id changed is no more found by the records that name it.
 */

#include "json/leaves.h"

/* Whether a string, the leaf at hand, stays. is_nested says that the text is that of a string;
 * is_result, that the record is a message of role tool, whose content is what a tool gave. */
bool member_keeps(const struct json_leaves *leaves, bool is_nested, bool is_result);

/* Whether a member of that name has an id of a record or a call, or names one. */
bool member_is_id(struct json_value name);

#endif
