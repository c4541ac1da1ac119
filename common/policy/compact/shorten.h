#ifndef POLICY_COMPACT_SHORTEN_H
#define POLICY_COMPACT_SHORTEN_H

/*
 * Shorter JSON for the parts of a message that pruning goes for. Each function appends a whole new
 * value to a buffer and says whether it differs from the old one; what it does not shorten it
 * copies byte for byte.
 *
 *     text        head, a line that says how much went, tail
 *     shell text  the same, and the lines in between that speak of an error or an exit status
 */

#include "data/message.h"
#include "data/tools.h"

struct shorten {
	size_t over;      /* texts of more bytes than this are cut */
	bool texts;       /* cut strings and text parts */
	bool is_shell;    /* keep error lines */
	bool thinking;    /* thinking parts become placeholders */
	bool media;       /* inline media become placeholders */
};

/* A content: a string or an array of parts. */
bool shorten_content(struct json_value content, const struct shorten *how, struct buf *out);

/* The arguments of a call: the strings in them, so that the JSON stays valid. The path of use stays
 * whole, and a shell command that would no longer show what it writes. */
bool shorten_arguments(struct json_value arguments, const struct tool_use *use, size_t over,
    struct buf *out);

#endif
