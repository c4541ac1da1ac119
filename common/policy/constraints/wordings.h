#ifndef POLICY_CONSTRAINTS_WORDINGS_H
#define POLICY_CONSTRAINTS_WORDINGS_H

/*
 * The wordings that oblige, forbid or release, or that tell that others do not, as rows of one
 * table: what the phrases of a row say, and the places where they say so.
 */

#include "policy/constraints/phrases.h"

/* What a phrase says, as bits. */
enum {
	SAYS_ORDERS = 1,      /* it obliges or forbids */
	SAYS_SHOULD = 2,      /* it says what should be */
	SAYS_BANS = 4,        /* it forbids, also beside words that release: "never ignore" */
	SAYS_NOT = 8,         /* it forbids, without such words */
	SAYS_FREES = 16,      /* it releases */
	SAYS_VOID = 32,       /* what else is found in its place does not count */
	SAYS_REPORTS = 64,    /* what follows is what somebody says */
	SAYS_GUESSES = 128,   /* what should be, or must be, is a guess */
	SAYS_STANDS = 256,    /* an order that begins with a verb stands */
	SAYS_NORMS = 512,     /* what begins with "every" says how things are to be */
	SAYS_FINDS = 1024,    /* what begins with "no" says how things are */
	SAYS_MAY = 8192,      /* what begins with "only" says who may */
	SAYS_MODAL = 2048,    /* it obliges, unless it is a guess of what is not "you" */
	SAYS_CONTRASTS = 4096 /* what is said is not another thing: "tabs, not spaces" */
};

/* Where a phrase says so: see obligation.h. */
enum wording_place {
	PLACE_ANYWHERE,
	PLACE_OPEN,
	PLACE_START,
	PLACE_OWN,
	PLACE_MUST,
	PLACE_MAY_NOT,
	PLACE_WE,
	PLACE_YOU,
	PLACE_NEVER,
	PLACE_TOLD,
	PLACE_BEHIND
};

/* The phrases that say the same, parted by "|". */
struct wording {
	uint8_t place;
	uint16_t says;
	const char *phrases;
};

/* All phrases of the table, and the row of the one with that number. */
struct phrases *wordings_phrases(void);
const struct wording *wordings_row(size_t phrase);

#endif
