#ifndef FILTER_PROOF_H
#define FILTER_PROOF_H

/*
 * Two things that a user's filter may never do, wherever it runs: separate a call from its result,
 * and write a line that is no record. Its input and its output are each walked over as a reader
 * would, each by its own proof, possibly in its own process. Faults that the input already has may
 * be in the output: a result without a call, a call without a result, a line that is no record.
 *
 * For a stage of a profile only this is checked. For a filter in a compaction, the other invariants
 * of policy/filter/invariants.h are checked as well.
 */

#include "policy/filter/invariants.h"

/* What is wrong in a text. */
struct proof_fault {
	int kind;         /* enum invariant */
	struct hash what; /* the id, or the line */
	uint64_t line;
	const char *reason; /* or NULL */
};

/* Of one text. Linear in it; memory for each call and each fault. */
struct proof {
	uint64_t messages;
	struct walk walk;
	struct proof_call *call; /* by the walk's numbers */
	uint32_t call_count, call_cap;
	struct proof_fault *fault;
	uint32_t fault_count, fault_cap;
};

void proof_init(struct proof *proof);
void proof_free(struct proof *proof);

/* Takes the next line of the text, without its end; JSON_PADDING readable bytes must follow it. */
void proof_take(struct proof *proof, struct str line, uint64_t number);

/* The text has ended. */
void proof_end(struct proof *proof);

/* Takes a text whole, and ends it. */
void proof_take_all(struct proof *proof, struct str text);

/* Notes the faults of written that read does not have. Notes nothing if neither text has a message.
 * Both texts must have ended. */
void proof_compare(
    const struct proof *read, const struct proof *written, struct invariants *broken);

#endif
