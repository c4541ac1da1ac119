#ifndef CTX_PROJECT_EDITS_H
#define CTX_PROJECT_EDITS_H

/*
 * The edits of a view that make it smaller: --merge, and behind it --shorten, since a text that was
 * joined may be long.
 */

#include "policy/view/long_texts.h"
#include "policy/view/merge_runs.h"
#include "project.h"

struct edits {
	bool merges;
	bool shortens;
	struct cut_limit limit;
	struct selectors chosen;
	struct str separator;
	struct long_texts texts;
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
