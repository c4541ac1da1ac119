#ifndef CTX_RECALL_RECALL_H
#define CTX_RECALL_RECALL_H

/*
 * What a look-up by key and one by pattern share: the archive that is asked, and the answer.
 */

#include "data/archive_index.h"
#include "face/limits.h"
#include "tokens/estimate.h"

struct options {
	struct common_options common;
	const char *search;
	uint64_t tokens;
	struct estimator_options estimator;
};

struct recall {
	const struct options *options;
	const char *archive; /* the operand */
	struct fault fault;
	struct archive_index index;
	struct estimator estimator;
	struct buf answer; /* in heap memory */
};

/* The length of the most whole lines of text that fit into --tokens with what stands around them;
 * of a line that does not fit alone, the most bytes. */
size_t recall_fitting(struct recall *recall, struct str text, struct str around);

/* Sets the answer to the lines of the archive's messages that match --search. Ends the program with
 * status 64 when that is no extended regular expression. */
void search_run(struct recall *recall);

#endif
