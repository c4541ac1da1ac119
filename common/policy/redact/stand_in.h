#ifndef REDACT_STAND_IN_H
#define REDACT_STAND_IN_H

/*
 * What stands for a text of which nothing may remain but its kind and its length in bytes:
 *
 *     "Why does it fail?"     "[text 17]"            "/home/ann/tide.c"     "[path 16]"
 *
 * What a reader of a session needs stays: ids, times, the words of a few members such as type,
 * role and the name of a tool, as far as they look like such, and at the head of a text how a
 * command ended or the sign of a command: "Exit code: 1 [text 60]". Of names of members only those
 * that look like data go; the number of the member makes each another one: [name 16 2].
 */

#include "json/leaves.h"

/* Whether the text, that of the string at hand, is JSON of the record's own structure: the
 * arguments of a call, a call, or the output of a shell with its status. */
bool stand_in_opens(const struct json_leaves *leaves, struct str text);

/* Writes to mark what stands for the text of the string at hand, a name or a value. is_given says
 * that the JSON is what a tool was given or gave. Returns false when the text stays. */
bool stand_in_write(const struct json_leaves *leaves, struct str text, bool is_name, bool is_given,
    struct buf *mark);

/* Whether the string at hand is in what a tool or an extension was given or gave. is_custom says
 * that the record is one of an extension, with its own data. */
bool stand_in_is_given(const struct json_leaves *leaves, bool is_custom);

#endif
