#ifndef FILTER_PROOF_H
#define FILTER_PROOF_H

/*
 * What a filter of the user's own may never do, wherever it runs: part a call from its result, or
 * write what is no record. Both texts, what it read and what it wrote, are walked over as a reader
 * of them will, each by a proof of its own, which may be in a process of its own. What is wrong in
 * the text that it read may come back as it was: a result without a call, a call that waits, a line
 * that is no record.
 *
 * A stage of a profile is held to this alone. In a compaction a filter is held to all that
 * policy/filter/invariants.h has besides.
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

/* Notes what the filter broke; nothing where all holds, and where neither text has a message. Both
 * texts have ended. */
void proof_compare(
    const struct proof *read, const struct proof *written, struct invariants *broken);

#endif
