#ifndef CTX_DIFF_TOLD_H
#define CTX_DIFF_TOLD_H

/*
 * The messages and context records of one side, as they are shown, with the keys by which equal
 * messages of both sides are found (match.h).
 *
 * The texts of all are in memory, and live as long as the side's struct told_all.
 */

#include "base/arena.h"
#include "base/hash/hash.h"
#include "face/page/page_message.h"
#include "policy/words/calls.h"
#include "side.h"

/* The keys by which a message is found on the other side, the surest first. */
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
	struct str words; /* the first words, as one line */
	struct str text;  /* all texts that a model reads, each on lines of its own */
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
	uint64_t tokens; /* of all counted texts */
	struct arena arena;
};

/* Reads the side, whose takes_all must be set, to its end. joint separates the texts in the first
 * words, of which at most most bytes are kept. */
void told_read(struct told_all *all, struct side *side, struct estimator *estimator,
    struct str joint, size_t most);

void told_free(struct told_all *all);

#endif
