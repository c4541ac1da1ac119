#ifndef CTX_PROJECT_EDITS_H
#define CTX_PROJECT_EDITS_H

/*
 * The edits of a view that make it smaller: --merge, and behind it --shorten, since a text that was
 * joined may be long.
 */

#include "policy/view/merge_runs.h"
#include "project.h"
#include "policy/text/cut_limit.h"

/*
 * A stage that cuts the long texts of messages to a limit (policy/text/cut_limit.h), and marks
 * these messages compacted. A text is what a model reads as content (data/message/texts.h): a
 * string, the text of a part, of a result, of a file in a part. Thinking, signed parts, names and
 * arguments stay. No record grows, and records that are no messages pass.
 *
 * A second run finds no text that is over the limit, so that it changes nothing.
 */
struct edits_texts {
	struct stage stage;
	struct cut_limit limit;
	const struct selectors *chosen; /* the messages it is about; they need no session */
	uint64_t texts;                 /* how many were cut */
	struct json_edit edit;          /* of the record at hand */
	struct buf settled;             /* a record that came with an edit */
};

/* The messages that are chosen when the user chooses none. */
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

/* Puts the stage that all sessions share behind them. edits and choice must live until the run is
 * over. */
void edits_open(struct edits *edits, struct project_choice *choice);

/* Adds to the report what was done. */
void edits_close(struct edits *edits, const struct project_choice *choice);

#endif
