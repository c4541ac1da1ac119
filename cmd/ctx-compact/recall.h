#ifndef CTX_COMPACT_RECALL_H
#define CTX_COMPACT_RECALL_H

/*
 * What --recall and --search share: the archive that is asked, and the answer.
 */

#include "data/archive_index.h"
#include "job.h"

struct recall {
	const struct options *options;
	struct fault fault;
	struct archive_index index;
	struct estimator estimator;
	struct buf answer; /* in heap memory; recall_run prints it */
};

/* The length of the most whole lines of text that fit into --recall-tokens with what stands around
 * them; of a line that does not fit alone, the most bytes. */
size_t recall_fitting(struct recall *recall, struct str text, struct str around);

/* Sets the answer to the lines of the archive's messages that match --search. Ends the program with
 * status 64 when that is no extended regular expression. */
void search_run(struct recall *recall);

#endif
