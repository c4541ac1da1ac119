#ifndef CTX_PROJECT_EDITS_H
#define CTX_PROJECT_EDITS_H

/*
 * The edits that make a view smaller: --merge, and after it --shorten, since a joined text may be
 * long.
 */

#include "project.h"
#include "policy/text/cut_limit.h"

/*
 * A stage that cuts the long texts of messages to a limit (policy/text/cut_limit.h), and marks
 * these messages compacted. A text is any text that a model reads as content
 * (data/message/texts.h): a string, or the text of a part, of a result, or of a file in a part.
 * Thinking, signed parts, names and arguments stay. No record grows; records that are no messages
 * pass.
 *
 * A second run changes nothing, since no text is over the limit.
 */
struct edits_texts {
	struct stage stage;
	struct cut_limit limit;
	const struct selectors *chosen; /* the messages whose texts are cut; they need no session */
	uint64_t texts;                 /* how many were cut */
	struct json_edit edit;          /* of the record at hand */
	struct buf settled;             /* a record that came with an edit */
};

/* The default of the chosen messages. */
#define EDITS_CHOSEN "!role=system,!role=developer,!pinned,!kind=summary,!kind=trace"

struct edits {
	bool merges;
	bool shortens;
	struct cut_limit limit;
	struct selectors chosen;
	struct str separator;
	struct edits_texts texts;
};

/* Reads the options. Ends the program with status 64 when one of them is wrong. Sets
 * choice->counts when tokens are to be counted. */
void edits_parse(struct edits *edits, const struct options *options, struct project_choice *choice);

/* Adds the stage that all sessions share after their own. edits and choice must live until the run
 * is over. */
void edits_open(struct edits *edits, struct project_choice *choice);

/* Adds the counts of edits to the report. */
void edits_close(struct edits *edits, const struct project_choice *choice);

#endif
