#ifndef POLICY_CONSTRAINTS_WORDINGS_H
#define POLICY_CONSTRAINTS_WORDINGS_H

/*
 * The wordings that oblige, forbid or release, or that take this sense from other wordings, as rows
 * of one table: the sense of the phrases of a row, and the places where they have it.
 */

#include "policy/constraints/phrases.h"

/* The sense of a phrase, as bits. */
enum {
	SAYS_ORDERS = 1,      /* it obliges or forbids */
	SAYS_SHOULD = 2,      /* it says "should" */
	SAYS_BANS = 4,        /* it forbids, also beside words that release: "never ignore" */
	SAYS_NOT = 8,         /* it forbids, without such words */
	SAYS_FREES = 16,      /* it releases */
	SAYS_VOID = 32,       /* other phrases at its place do not count */
	SAYS_REPORTS = 64,    /* another person's words follow */
	SAYS_GUESSES = 128,   /* "should" or "must" is a guess */
	SAYS_STANDS = 256,    /* an order that begins with a verb lasts */
	SAYS_NORMS = 512,     /* a sentence with "every" first says how things are to be */
	SAYS_FINDS = 1024,    /* a sentence with "no" first says how things are */
	SAYS_MAY = 8192,      /* a sentence with "only" first says who may */
	SAYS_MODAL = 2048,    /* it obliges, unless it is a guess about others than "you" */
	SAYS_CONTRASTS = 4096 /* one thing, and not another: "tabs, not spaces" */
};

/* The place where a phrase has its sense: see obligation.h. */
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

/* Phrases with the same sense, parted by "|". */
struct wording {
	uint8_t place;
	uint16_t says;
	const char *phrases;
};

/* All phrases of the table, and the row of the one with that number. */
struct phrases *wordings_phrases(void);
const struct wording *wordings_row(size_t phrase);

#endif
