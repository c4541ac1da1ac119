#ifndef FILTER_FILTERED_H
#define FILTER_FILTERED_H

/*
 * What a filter read and what it wrote, and which invariants of compaction broke in between. Each
 * of them is named once, with the first place and how many there are more.
 */

#include "policy/compact/align.h"
#include "policy/compact/compaction.h"

struct filtered {
	struct compaction *compaction;
	struct align_record *in, *out;
	uint32_t *entry; /* by record of the input; NONE: a record that was added */
	uint64_t *line;  /* by record of the output, from 1 */
	uint32_t in_count, in_cap, entry_count, entry_cap;
	uint32_t out_count, out_cap, line_count, line_cap;
	struct buf broken; /* the invariants that broke, as phrases; "": none */
};

/* The texts must live as long as filtered. */
void filtered_add_input(struct filtered *filtered, struct str text, uint32_t entry);
void filtered_add_output(struct filtered *filtered, struct str text, uint64_t line);
void filtered_free(struct filtered *filtered);

/* Names all that broke, but for the weights, and for what policy/filter/proof.h names; the records
 * must be aligned. */
void filtered_check(struct filtered *filtered);

/* Names replacements since the mark that are larger than what they replace. */
void filtered_check_weight(struct filtered *filtered, uint32_t mark);

#endif
