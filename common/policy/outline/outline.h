#ifndef POLICY_OUTLINE_OUTLINE_H
#define POLICY_OUTLINE_OUTLINE_H

/*
 * The dropped messages as an outline, in the order in which things happened, a few lines a step:
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
 * If not all lines of the user's words have room, they end with " […]".
 *
 * A call that the user refused is "(refused)"; the words of the refusal are a rule. Calls may be in
 * the agent's text (policy/digest/text_call.h), or in a trace artifact
 * (policy/outline/outline_dropped.c).
 *
 * Each line has a value, by its kind and its class (policy/digest/line_class.h). The lines with the
 * highest values are chosen until the room is taken: the user's words, the agent's sentences,
 * calls, details that nobody can read again, and then lines of files. A detail is never without its
 * call. No line is there twice: a call that was made again, ended in the same way and has no detail
 * of its own is counted, "$ make (3 more times)" (policy/outline/outline_again.h). If there is no
 * room for all heads, a call that ended in another way is counted, too, and runs of steps fold
 * (policy/outline/outline_fold.h). The lines of an earlier artifact are lines like others: their
 * marks show their kind.
 *
 * If the dropped messages are archived, the user's words, the agent's sentences and calls begin
 * with the key of their record; a call that changed nothing begins with the key of its result. The
 * key has its first 8 digits, or 12 if another line has the same 8:
 *
 *     93a77d0e edit src/gauge.c
 *       + gauge->offset = zero_read(gauge);
 *
 * The lines come from policy/outline/outline_dropped.h, and those of an earlier artifact from
 * policy/outline/outline_earlier.h: messages that stayed then and go now are between them, in the
 * order of the session. The texts live in an arena of the outline. Time and memory are linear in
 * the dropped messages.
 */

#include "base/arena.h"
#include "base/hash/map.h"
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

/* The end of words of the user that have not all their lines. */
#define OUTLINE_CUT " […]"

/* The mark before a line, by its kind. */
extern const struct str outline_mark[OUTLINE_KINDS];

/* The values of heads. */
enum {
	OUTLINE_WORDS = 230,
	OUTLINE_SENTENCE = 210,
	OUTLINE_DONE = 170,      /* a call that changed or ran something */
	OUTLINE_LOOKED = 150,    /* a call that only looked */
	OUTLINE_OTHERWISE = 140, /* a repeated call that ended in another way */
	OUTLINE_AGAIN = 1        /* a repeated call that ended in the same way */
};

/* The bonus for the best line among those that a call puts in, so that edits show the values that
 * they set. tests/bench/recall-probes.bash answers 130, 112 and 82 of 140 with 30 to 40, one less
 * at 12 % with 20 or 60, and 130, 110 and 80 with 0. Of a large session of pi a digest of 12k has
 * 78 such lines, and none with 0; after five passes 62, and 22 commands, which are 4 with 40. */
enum { OUTLINE_BEST_ADDED = 35 };

#define OUTLINE_KEPT (UINT64_MAX - 1) /* the line is of a message that stays */

enum { OUTLINE_SHORT = 16 };    /* bytes of a detail that says something only with its call */
enum { OUTLINE_KEY_SHORT = 8 }; /* digits that most often are of one key alone */

struct outline_line {
	struct str left; /* of the text, the part that the reader has nowhere else */
	struct str
	    folded;    /* with others after it, as one line (policy/outline/outline_fold.h); "" */
	uint32_t head; /* the line of the call that it belongs to, or itself */
	uint8_t kind;  /* enum outline_kind */
	uint8_t value; /* at least 1 */
	bool is_text;  /* a detail of a file's text, and no answer */
	bool is_own;   /* the status is that of the command in known_as */
	bool is_told;  /* a call that an earlier pass counted already */
	bool is_long;  /* words of the user that have other lines */
	bool was_partial; /* an earlier pass had no room for all of these lines */
	bool is_partial;  /* this pass has no room for all of them */
	bool is_chosen;
	bool is_folded;     /* it is in the line of another one, or between such lines */
	uint32_t key_shown; /* digits of the key that are written */
	struct str
	    key; /* the first digits, in lines of an earlier artifact as many as it has; "" */
	struct str text;            /* without the mark of its kind; lines in it are indented */
	uint32_t best;              /* of a call: the best line that it adds; 0: none */
	uint32_t first;             /* of a call: the first line with the same call, or itself */
	struct outline_again made;  /* of a call, as it was added */
	struct outline_again again; /* the same with repetitions that have no line */
	struct str known_as; /* of a command, once a run has asked (policy/digest/outline_run.h) */
	uint32_t last;       /* the newest of the lines folded with it */
	uint32_t run;        /* the first of the lines that would be folded with it */
	uint64_t behind;     /* the outline's, when the line was added */
};

struct outline {
	struct outline_line *line;
	uint32_t count, cap;
	uint32_t head;    /* the newest head */
	uint32_t *order;  /* by value, the highest first; of one value the newest first; or NULL */
	bool is_cut;      /* the last written text lacks lines */
	uint64_t behind;  /* the place of the newest message that stays between the artifact and
			  * the lines that are added (policy/facts/places.h); 0: none */
	struct map seen;  /* lines that are there, or OUTLINE_KEPT */
	struct map keys;  /* the number of keys with the same first digits */
	struct map paths; /* the newest run with that file (policy/digest/outline_run.h) */
	uint64_t runs;    /* the number of runs with files */
	struct arena arena;
};

/* Adds the line, with a copy of its text. A line that is there already is added again only if it is
 * of a call; a line of a message that stays only if it is a step: a call, a change, the user's
 * words. Returns whether it was added. Its head is the newest head, or the line itself. */
bool outline_add(struct outline *outline, struct outline_line line);

/* Notes the digits of a key; returns a copy. */
struct str outline_key(struct outline *outline, struct str digits);

/* Finds the smallest number of digits that identifies each key. Call it when all lines are there,
 * and before the functions below. */
void outline_shorten_keys(struct outline *outline);

/* The bytes that the line takes. */
size_t outline_cost(const struct outline *outline, const struct outline_line *line);

/* The digits of the key that are written. */
struct str outline_shown_key(const struct outline *outline, const struct outline_line *line);

void outline_free(struct outline *outline);

#endif
