#ifndef POLICY_DIGEST_OUTLINE_H
#define POLICY_DIGEST_OUTLINE_H

/*
 * What was dropped, in the order in which it happened, a few lines a step:
 *
 *     user: The gauge drifts after a reset
 *     - The reset clears offset before the new zero is read.
 *     read src/gauge.c (lines 40-95)
 *       = zero is taken once a minute
 *     edit src/gauge.c
 *       - gauge->offset = 0;
 *       + gauge->offset = zero_read(gauge);
 *     $ make test (failed)
 *       = gauge_reset: expected 0.00, got 4.20
 *
 * Each line has a value, by its kind and by what it says (policy/digest/line_class.h).
 * The best ones are chosen for which there is room: the user's words, the agent's sentences, calls,
 * what nobody can read again, and then what files say. A detail is never without its call. No line
 * is there twice. The lines of an earlier artifact are lines like others: their marks say the kind.
 *
 * Where what was dropped is archived, the user's words, the agent's sentences and calls have the
 * key of their record in front, the call that of its result unless it changed something. That is
 * the first 8 digits of the key, or 12 where another line has the same 8:
 *
 *     93a77d0e edit src/gauge.c
 *       + gauge->offset = zero_read(gauge);
 *
 * The texts live in an arena of the outline. Time and memory are linear in what was dropped.
 */

#include "base/arena.h"
#include "base/hash/hash.h"
#include "data/session/session.h"

enum outline_kind {
	OUTLINE_USER,
	OUTLINE_SAID,
	OUTLINE_CALL,
	OUTLINE_MORE, /* of the user's words */
	OUTLINE_ADDED,
	OUTLINE_REMOVED,
	OUTLINE_FOUND,
	OUTLINE_KINDS
};

struct outline_line {
	struct str
	    key; /* the first digits, in lines of an earlier artifact as many as it has; "" */
	struct str text; /* without the mark of its kind; lines in it are indented */
	uint32_t head;   /* the line of the call that it belongs to, or itself */
	uint8_t kind;    /* enum outline_kind */
	uint8_t value;   /* at least 1 */
	bool is_chosen;
};

struct outline {
	struct outline_line *line;
	uint32_t count, cap;
	uint32_t *order; /* by value, the best first, the newest first of one value; or NULL */
	struct map seen; /* lines that are there */
	struct map keys; /* the number of keys with the same first digits */
	struct arena arena;
};

/* Adds the lines of an earlier artifact: the last count lines of its text. */
void outline_add_earlier(struct outline *outline, struct str text, uint64_t count);

/* Adds all entries of the session that were dropped, in their order. */
void outline_add_dropped(struct outline *outline, const struct session *session);

/* Appends the chosen lines, each after a line feed, in at most room bytes; returns how many. */
uint32_t outline_write(struct outline *outline, size_t room, struct buf *text);

void outline_free(struct outline *outline);

#endif
