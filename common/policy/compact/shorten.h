#ifndef POLICY_COMPACT_SHORTEN_H
#define POLICY_COMPACT_SHORTEN_H

/*
 * Shorter JSON for the parts of a message that pruning shortens. Each function adds the shorter
 * parts to an edit of the record; all else stays byte for byte.
 *
 *     text        head, a line that says how much went, tail
 *     shell text  the same, with the lines in between that tell of an error or an exit status
 *     patch       the same, with the lines in between that name files (apply_patch)
 *
 * Before a text is cut, lines of it that say little are condensed (policy/summary/condense.h).
 */

#include "data/message/message.h"
#include "data/tool/tools.h"
#include "json/edit.h"
#include "policy/summary/condense.h"

struct shorten {
	size_t over;                 /* texts of more bytes than this are cut */
	size_t keep;                 /* bytes that stay of a text that is cut; 0: half of over */
	struct estimator *in_tokens; /* NULL: over is in bytes; else in this estimator's tokens */
	struct condense *condense;   /* NULL: no lines are condensed */
	bool texts;                  /* cut strings and text parts */
	bool is_shell;               /* keep error lines */
	bool is_patch;               /* keep the lines of a patch that name files */
	bool thinking;               /* thinking parts become placeholders */
	bool media;                  /* inline media become placeholders */
	bool is_masked;              /* only the size stays of a long string in arguments */
	bool condenses;              /* shorten_entry condenses lines of a result first */
	bool arguments;    /* shorten_entry shortens the strings in the arguments of calls, too */
	struct str recall; /* the command to read the full message (policy/text/recall.h), or "" */
};

/* Shortens a content that is a string or an array of parts, and the text that a result has outside
 * its content. Any other content stays. */
void shorten_content(
    const struct message *message, const struct shorten *how, struct json_edit *edit);

/* Whether the content has inline media for which shorten_content puts placeholders. */
bool shorten_has_media(const struct message *message, const struct shorten *how);

/* Shortens the strings in the arguments of a call; the JSON stays valid. Of how, only over,
 * in_tokens, is_masked and recall are read. The path of use stays whole. So does a shell command or
 * a patch that, once cut, would no longer show which files it writes. */
void shorten_arguments(struct json_value arguments, const struct tool_use *use,
    const struct shorten *how, struct json_edit *edit);

#endif
