#ifndef CTX_RECALL_RECALL_H
#define CTX_RECALL_RECALL_H

/*
 * What a look-up by key and one by pattern share: the archive that is asked, and the answer.
 */

#include "base/expression/expression.h"
#include "data/archive/archive_index.h"
#include "face/choices/limits.h"
#include "tokens/estimate.h"

struct look_up_options {
	struct common_options common;
	const char *search;
	uint64_t tokens;
	struct estimator_options estimator;
};

/* Lines from first to last, from 1. */
struct look_up_range {
	uint64_t first;
	uint64_t last;
};

struct look_up {
	const struct look_up_options *options;
	const char *archive; /* the operand */
	struct str digits;   /* of the key, in the operand; none with --search */
	struct look_up_range range;
	struct expression pattern; /* of --search */
	struct fault fault;
	struct archive_index index;
	struct estimator estimator;
	struct buf answer; /* in heap memory */
};

/* The length of the most whole lines of text that fit into --tokens with what stands around them;
 * of a line that does not fit alone, the most bytes. */
size_t look_up_fitting(struct look_up *recall, struct str text, struct str around);

/* Sets the pattern. Ends the program with status 64 when --search is no extended regular
 * expression. */
void search_parse(struct look_up *recall);

/* Sets the answer to the lines of the archive's messages that match the pattern, and frees it. */
void search_run(struct look_up *recall);

#endif
