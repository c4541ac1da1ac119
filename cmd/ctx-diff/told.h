#ifndef CTX_DIFF_TOLD_H
#define CTX_DIFF_TOLD_H

/*
 * What one side says, for eyes: its messages and context records as they are shown, with the keys
 * by which those of both sides are found to be the same (match.h).
 *
 * In memory are the texts of all of them, which live as long as the side's struct told_all.
 */

#include "base/arena.h"
#include "base/hash/hash.h"
#include "face/page/page_message.h"
#include "policy/words/calls.h"
#include "side.h"
#include "tokens/estimate.h"

/* By what a message is found on the other side, the surest first. */
enum told_key {
	TOLD_SAME,  /* the ids of its calls, its role and all its texts */
	TOLD_TEXTS, /* its role and all its texts */
	TOLD_ID,    /* the id of its call or of the call that it answers, or else its own */
	TOLD_START, /* its role and its first words */
	TOLD_KEYS,
};

#define TOLD_NONE UINT32_MAX

struct told_call {
	struct str tool, use;
	uint64_t tokens;
};

struct told {
	uint64_t number; /* data/line_number.h */
	struct str role;
	struct str words; /* the first ones, as one line */
	struct str text;  /* all that a model reads of it, each text on lines of its own */
	uint64_t tokens;
	bool is_counted; /* a message of the thread */
	bool is_result;
	bool has_failed;
	enum page_look look;
	unsigned indent;
	uint32_t turn; /* 0: none */
	uint32_t calls;
	struct told_call *call;
	struct told_call answered; /* the call that a result is of; its texts may be "" */
	bool has_key[TOLD_KEYS];
	struct hash key[TOLD_KEYS];
	uint32_t partner; /* the index of the same message on the other side, or TOLD_NONE */
};

struct told_all {
	struct told *told;
	uint32_t count, cap;
	uint64_t tokens; /* of what is counted */
	struct arena arena;
};

/* Reads the side, which takes all, to its end. joint is what parts words in a line, of which no
 * more than most bytes are kept. */
void told_read(struct told_all *all, struct side *side, struct estimator *estimator,
    struct str joint, size_t most);

void told_free(struct told_all *all);

#endif
