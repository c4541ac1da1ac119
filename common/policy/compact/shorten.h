#ifndef POLICY_COMPACT_SHORTEN_H
#define POLICY_COMPACT_SHORTEN_H

/*
 * Shorter JSON for the parts of a message that pruning goes for. Each function notes in an edit of
 * the record what becomes shorter; all else stays byte for byte.
 *
 *     text        head, a line that says how much went, tail
 *     shell text  the same, and the lines in between that speak of an error or an exit status
 */

#include "data/message.h"
#include "data/tools.h"
#include "json/edit.h"

struct shorten {
	size_t over;   /* texts of more bytes than this are cut */
	bool texts;    /* cut strings and text parts */
	bool is_shell; /* keep error lines */
	bool thinking; /* thinking parts become placeholders */
	bool media;    /* inline media become placeholders */
};

/* A content: a string or an array of parts; any other has nothing to shorten. */
void shorten_content(struct json_value content, const struct shorten *how, struct json_edit *edit);

/* The arguments of a call: the strings in them, so that the JSON stays valid. The path of use stays
 * whole, and a shell command that would no longer show what it writes. */
void shorten_arguments(
    struct json_value arguments, const struct tool_use *use, size_t over, struct json_edit *edit);

#endif
