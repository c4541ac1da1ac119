#ifndef CTX_ROUTE_ASSIGNED_VALUE_H
#define CTX_ROUTE_ASSIGNED_VALUE_H

/*
 * KEY=VALUE, as an option gives a member of metadata:
 *
 *     pinned=true    n=42    tags=["a"]    VALUE is JSON, and the value is that
 *     section=buffer                       any other VALUE is text, and the value is a string
 *     note='"42"'                          JSON again: the string 42
 *     pinned=                              the member is removed
 */

#include "base/buf.h"

struct assigned_value {
	struct str key;  /* a part of the option-argument */
	struct buf json; /* without white space; empty: the member is removed */
};

/* Reads the argument of the option of that name. Ends the program with status 64 when it has no
 * key, is no UTF-8, or nests too deep for a record. */
void assigned_value_parse(
    struct assigned_value *assignment, const char *option, const char *argument);

/* Ends the program with status 64 when the value has a wrong type for a name that ctx-message(5)
 * has for messages. */
void assigned_value_check_type(
    const struct assigned_value *assignment, const char *option, const char *argument);

void assigned_value_free(struct assigned_value *assignment);

#endif
