#ifndef CTX_ROUTE_ASSIGNED_VALUE_H
#define CTX_ROUTE_ASSIGNED_VALUE_H

/*
 * KEY=VALUE, the argument of an option that sets a member of metadata:
 *
 *     pinned=true    n=42    tags=["a"]    VALUE is JSON, and is the value
 *     section=buffer                       any other VALUE is text, the value a string
 *     note='"42"'                          JSON again: the string 42
 *     pinned=                              the member is removed
 */

#include "base/buf.h"

struct assigned_value {
	struct str key;  /* a part of the option-argument */
	struct buf json; /* without white space; empty: the member is removed */
};

/* Reads the argument of the option of that name. Ends the program with status 64 when the argument
 * has no key, is not UTF-8, or nests too deep for a record. */
void assigned_value_parse(
    struct assigned_value *assignment, const char *option, const char *argument);

/* Ends the program with status 64 when the key is a name that ctx-message(5) defines for messages,
 * and the value is of another type. */
void assigned_value_check_type(
    const struct assigned_value *assignment, const char *option, const char *argument);

void assigned_value_free(struct assigned_value *assignment);

#endif
