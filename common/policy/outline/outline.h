#ifndef POLICY_OUTLINE_OUTLINE_H
#define POLICY_OUTLINE_OUTLINE_H

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
 * Words of the user of which not all lines have room end with " […]".
 *
 * A call that the user refused is "(refused)"; their words are a rule. Calls may stand in the
 * agent's text (policy/digest/text_call.h), or in a trace artifact
 * (policy/outline/outline_dropped.c).
 *
 * Each line has a value, by its kind and by what it says (policy/digest/line_class.h). The best
 * ones are chosen for which there is room: the user's words, the agent's sentences, calls, what
 * nobody can read again, and then what files say. A detail is never without its call. No line is
 * there twice: a call that was made again, ended in the same way and has no detail of its own is
 * counted, "$ make (3 more times)" (policy/outline/outline_again.h). Where there is no room for all
 * heads, one that ended in another way is counted, too, and runs of steps fold
 * (policy/outline/outline_fold.h). The lines of an earlier artifact are lines like others: their
 * marks say their kind.
 *
 * Where what was dropped is archived, the user's words, the agent's sentences and calls have the
 * key of their record in front, the call that of its result unless it changed something. That is
 * the first 8 digits of the key, or 12 where another line has the same 8:
 *
 *     93a77d0e edit src/gauge.c
 *       + gauge->offset = zero_read(gauge);
 *
 * The lines come from policy/outline/outline_dropped.h, and from policy/outline/outline_earlier.h
 * those of an earlier artifact: what stayed then and goes now stands between them, where it
 * happened.
 * The texts live in an arena of the outline. Time and memory are linear in what was dropped.
 */

#include "base/arena.h"
#include "base/hash/hash.h"
#include "policy/outline/outline_again.h"

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

/* What stands behind words of the user of which not all lines are there. */
#define OUTLINE_CUT " […]"

/* What stands in front of a line, by its kind. */
extern const struct str outline_mark[OUTLINE_KINDS];

/* What heads are worth. */
enum {
	OUTLINE_WORDS = 230,
	OUTLINE_SENTENCE = 210,
	OUTLINE_DONE = 170,      /* a call that changed or ran something */
	OUTLINE_LOOKED = 150,    /* one that looked */
	OUTLINE_OTHERWISE = 140, /* one that is there, and ended in another way than before */
	OUTLINE_AGAIN = 1        /* one that is there, and ended in the same way */
};

/* What the line that says most of those that a call puts in is worth beside what it says, so that
 * edits tell what they set. tests/bench/recall-probes.bash answers 130, 112 and 82 of 140 with 30
 * to 40, one less at 12 % with 20 or 60, and 130, 110 and 80 with 0. Of a large session of pi a
 * digest of 12k has 78 such lines, and none with 0; after five passes 62, and 22 commands, which
 * are 4 with 40. */
enum { OUTLINE_BEST_ADDED = 35 };

#define OUTLINE_KEPT (UINT64_MAX - 1) /* the line is of a message that stays */

enum { OUTLINE_SHORT = 16 };    /* bytes of a detail that says something only with its call */
enum { OUTLINE_KEY_SHORT = 8 }; /* digits that most often are of one key alone */

struct outline_line {
	struct str left; /* of the text, what the reader has nowhere else */
	struct str
	    folded;    /* with others after it, as one line (policy/outline/outline_fold.h); "" */
	uint32_t head; /* the line of the call that it belongs to, or itself */
	uint8_t kind;  /* enum outline_kind */
	uint8_t value; /* at least 1 */
	bool is_text;  /* a detail of a file's text, and no answer */
	bool is_own;   /* of what it is known as is the status, too */
	bool is_told;  /* a call that an earlier pass told of: no further time */
	bool is_long;  /* words of the user that have other lines */
	bool was_partial; /* and an earlier pass had no room for all of these */
	bool is_partial;  /* nor has this one */
	bool is_chosen;
	bool is_folded;     /* is in the line of another one, or among such lines */
	uint32_t key_shown; /* digits of the key that are written */
	struct str
	    key; /* the first digits, in lines of an earlier artifact as many as it has; "" */
	struct str text; /* without the mark of its kind; lines in it are indented */
	uint32_t best;   /* of a call: the line that it adds and that says most; 0: none */
	uint32_t first;  /* of a call: the line that says the same, or itself */
	struct outline_again made;  /* of a call, as it was added */
	struct outline_again again; /* with those that have no line */
	struct str known_as; /* of a command, once a run has asked (policy/digest/outline_run.h) */
	uint32_t last;       /* of those that are folded, the newest one */
	uint32_t run;        /* the first line of those that would be folded with it */
	uint64_t behind;     /* as the outline's, when the line was added */
};

struct outline {
	struct outline_line *line;
	uint32_t count, cap;
	uint32_t head;   /* the newest one */
	uint32_t *order; /* by value, the best first, the newest first of one value; or NULL */
	bool is_cut;     /* the text that was written last has not all lines */
	uint64_t behind; /* the place of the newest message that stays between the artifact and what
			  * is added (policy/facts/places.h); 0: none does */
	struct map seen; /* lines that are there, or OUTLINE_KEPT */
	struct map keys; /* the number of keys with the same first digits */
	struct map paths; /* the newest run with that file (policy/digest/outline_run.h) */
	uint64_t runs;    /* so many have files */
	struct arena arena;
};

/* Adds the line, with a copy of its text. One that is there already is added again where it is of a
 * call, and one of a message that stays where it is a step: a call, a change, the user's words.
 * Returns whether it was added. Its head is the newest one, or itself. */
bool outline_add(struct outline *outline, struct outline_line line);

/* Notes the digits of a key; returns a copy. */
struct str outline_key(struct outline *outline, struct str digits);

/* Finds how few digits of each key say which it is. Call it when all lines are there, and before
 * the functions below. */
void outline_shorten_keys(struct outline *outline);

/* The bytes that the line takes. */
size_t outline_cost(const struct outline *outline, const struct outline_line *line);

/* The digits of the key that are written. */
struct str outline_shown_key(const struct outline *outline, const struct outline_line *line);

void outline_free(struct outline *outline);

#endif
