#ifndef POLICY_BUDGET_H
#define POLICY_BUDGET_H

/*
 * The token budget of a session: what the window holds, what is used and reserved, what remains,
 * and whether it is time to compact. All figures are tokens.
 */

#include "base/buf.h"
#include "base/number.h"
#include "data/message.h"

/* What was asked for; unset sizes take the defaults below. */
struct budget_limits {
	struct size window;         /* 128k */
	struct size reserve_output; /* 16k, at most a quarter of the window */
	struct size reserve_system; /* the count of the context record's system prompt */
	struct size headroom;       /* 2k, at most 1/32 of the window */
	struct size soft;           /* 80%, at most what reserves and headroom leave */
};

struct budget {
	const char *estimator;
	uint64_t window;
	uint64_t used;
	uint64_t reserved_output;
	uint64_t reserved_system;
	uint64_t headroom;
	uint64_t soft;
	uint64_t remaining;  /* max(0, window - used - both reserves) */
	bool over_soft;      /* used >= soft */
	bool over_headroom;  /* remaining < headroom */
	bool compact;        /* one of the two */
	bool hard_stop;      /* set by ctx-compact alone: it cannot be met */
};

/* Sets everything but estimator and hard_stop. system_prompt is the count of the context record's
 * prompt. */
void budget_set(struct budget *budget, const struct budget_limits *limits, uint64_t used,
    uint64_t system_prompt);

/* The budget as used becomes another figure. */
void budget_reuse(struct budget *budget, uint64_t used);

/* The most that messages may use so that the budget is met: window less both reserves. */
uint64_t budget_room(const struct budget *budget);

/* Takes the limits of a budget record for those that limits leaves unset. */
void budget_read(struct json_value record, struct budget_limits *limits);

/* Appends the budget record, without a line end. */
void budget_write(const struct budget *budget, struct buf *buf);

#endif
