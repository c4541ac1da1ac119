#ifndef FILTER_EXCHANGE_H
#define FILTER_EXCHANGE_H

/*
 * What a filter read and what it wrote, and which invariants of compaction broke in between.
 */

#include "policy/compact/align.h"
#include "policy/filter/invariants.h"

struct exchange {
	struct compaction *compaction;
	struct align_record *in, *out;
	uint32_t *entry; /* by record of the input; NONE: a record that was added */
	uint64_t *line;  /* by record of the output, from 1 */
	uint32_t in_count, in_cap, entry_count, entry_cap;
	uint32_t out_count, out_cap, line_count, line_cap;
	struct invariants broken;
};

/* The texts must live as long as the exchange. */
void exchange_add_input(struct exchange *exchange, struct str text, uint32_t entry);
void exchange_add_output(struct exchange *exchange, struct str text, uint64_t line);
void exchange_free(struct exchange *exchange);

/* Notes all that broke, but for the weights, and for what policy/filter/proof.h finds; the records
 * must be aligned. */
void exchange_check(struct exchange *exchange);

/* Notes replacements since the mark that are larger than what they replace. */
void exchange_check_weight(struct exchange *exchange, uint32_t mark);

#endif
