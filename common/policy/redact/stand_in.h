#ifndef REDACT_STAND_IN_H
#define REDACT_STAND_IN_H

/*
 * The replacement of a text of which only its kind and its length in bytes may remain:
 *
 *     "Why does it fail?"     "[text 17]"            "/home/ann/tide.c"     "[path 16]"
 *
 * Members that a reader of a session needs stay: ids, times, and the words of a few members such as
 * type, role and the name of a tool, if they look like such words. At the head of a text, the exit
 * of a command or the sign of a command stays: "Exit code: 1 [text 60]". Names of members are
 * replaced only if they look like data; the number of the member keeps them distinct: [name 16 2].
 */

#include "json/leaves.h"

/* Whether the text, that of the string at hand, is JSON of the record's own structure: the
 * arguments of a call, a call, the output of a shell with its status, or the messages of a trace.
 * Sets *is_given to whether what is inside is what a tool is given or gives. */
bool stand_in_opens(const struct json_leaves *leaves, struct str text, bool *is_given);

/* Writes to mark the replacement of the current string, a name or a value. is_given: the JSON is
 * the input or output of a tool. Returns false when the text stays. */
bool stand_in_write(const struct json_leaves *leaves, struct str text, bool is_name, bool is_given,
    struct buf *mark);

/* Whether the current string is in the input or output of a tool or an extension. is_custom: the
 * record is an extension's, with its own data. */
bool stand_in_is_given(const struct json_leaves *leaves, bool is_custom);

#endif
