#ifndef FILTER_EXCHANGE_H
#define FILTER_EXCHANGE_H

/*
 * The input and the output of a filter, and the invariants of compaction that the filter broke.
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

/* Notes all broken invariants, except those of weight (exchange_check_weight) and those that
 * policy/filter/proof.h finds. The records must be aligned. */
void exchange_check(struct exchange *exchange);

/* Notes replacements since the mark that are larger than what they replace. */
void exchange_check_weight(struct exchange *exchange, uint32_t mark);

#endif
