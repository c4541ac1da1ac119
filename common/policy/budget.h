#ifndef POLICY_BUDGET_H
#define POLICY_BUDGET_H

/*
 * The token budget of a session: what the window holds, what is used and reserved, what remains,
 * and whether it is time to compact. All figures are tokens.
 */

#include "base/buf.h"
#include "base/number.h"
#include "data/message.h"
#include "json/write.h"

/* What was asked for; unset sizes take the defaults below. */
struct budget_limits {
	struct size window;         /* 128k */
	struct size reserve_output; /* 16k, at most a quarter of the window */
	struct size reserve_system; /* the count of the newest context record */
	struct size headroom;       /* 2k, at most 1/32 of the window */
	struct size soft;           /* 80%, at most what reserves and headroom leave */
};

/* What makes compaction due, in the order of the record's reasons. */
enum budget_reason {
	BUDGET_SOFT_THRESHOLD, /* used >= soft */
	BUDGET_HEADROOM,       /* remaining < headroom */
	BUDGET_TOOL_RESULTS,   /* the triggers: a count is over what was allowed */
	BUDGET_MESSAGES,
	BUDGET_TURNS,
	BUDGET_STEPS,
	BUDGET_AGE,
	BUDGET_WHEN,
	BUDGET_REASONS,
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
	unsigned triggers;   /* bit r: trigger r has fired; set before budget_set */
	unsigned reasons;    /* bit r: reason r holds */
	bool compact;        /* any of them */
	bool hard_stop;      /* set by ctx-compact alone: it cannot be met */
};

/* Sets everything but estimator, triggers and hard_stop. system is the count of the newest context
 * record (estimate_context). */
void budget_set(struct budget *budget, const struct budget_limits *limits, uint64_t used,
    uint64_t system);

/* The budget as used becomes another figure. */
void budget_reuse(struct budget *budget, uint64_t used);

/* The least that may be used so that it is time to compact. */
uint64_t budget_due(const struct budget *budget);

/* The most that messages may use so that the budget is met: window less both reserves. */
uint64_t budget_room(const struct budget *budget);

/* Takes the limits of a budget record for those that limits leaves unset. */
void budget_read(struct json_value record, struct budget_limits *limits);

static inline bool
budget_has(const struct budget *budget, enum budget_reason reason)
{
	return budget->reasons >> reason & 1;
}

/* The word of a reason in the record. */
struct str budget_reason_name(enum budget_reason reason);

/* Appends the budget record, without a line end. */
void budget_write(const struct budget *budget, struct buf *buf);

/* The members of the record, into an object that is open. */
void budget_write_members(const struct budget *budget, struct json_writer *w);

#endif
