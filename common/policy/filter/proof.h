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
 * policy/filter/exchange.h has besides, which is named the same way.
 */

#include <stdint.h>

#include "base/buf.h"
#include "data/walk.h"

enum { PROOF_KINDS = 24 };

/* What broke, by kind: numbers of a table of phrases of whoever asks. */
struct proof_findings {
	uint64_t count[PROOF_KINDS];
	uint64_t line[PROOF_KINDS];      /* of the first one */
	const char *reason[PROOF_KINDS]; /* of the first one, or NULL */
};

void proof_note(struct proof_findings *findings, int kind, uint64_t line, const char *reason);

/* Appends what broke of that kind, if anything did, with the first line and how many there are
 * more. place says whose line it is. */
void proof_name(const struct proof_findings *findings, int kind, const char *place,
    const char *phrase, struct buf *text);

/* What is wrong in a text. */
struct proof_fault {
	int kind;
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

/* Appends what the filter broke, as phrases; nothing where all holds, and where neither text has a
 * message. Both texts have ended. */
void proof_compare(const struct proof *read, const struct proof *written, struct buf *broken);

#endif
