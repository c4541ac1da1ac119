#ifndef POLICY_ISOLATE_H
#define POLICY_ISOLATE_H

/*
 * Isolation of tool traces at execution boundaries, as a stage. Pinned, open and frozen groups are
 * never touched; unresolved ones stay, only long error text is cut to head and tail. An entry leaves
 * when its execution is over, no group of it lacks a result, and no failure of it may be resolved
 * any more (data/window.h); with an estimator that learns from reported usage, at the end.
 */

#include "data/window.h"
#include "tokens/estimate.h"

enum isolate_policy {
	ISOLATE_BOUNDARY, /* each pair group of executions that are not current becomes one trace
	                     artifact, and their other assistant trace goes */
	ISOLATE_MASK,     /* results of executions that are not current become placeholders */
};

struct isolate_options {
	uint64_t error_tokens; /* the most that error text of an unresolved group keeps */
	uint64_t min_tokens;   /* mask: results up to this stay */
	uint64_t keep_results; /* mask: the newest results stay */
	struct str placeholder; /* mask: the content of a masked result; "" says its size */
};

struct isolate {
	struct window window; /* first, so that it is a stage */
	struct isolate_options options;
	struct estimator *estimator;
	bool is_unfitted;  /* the estimator had too little to learn from: */
	uint64_t points;   /* so many responses */
	uint32_t looked;   /* mask: entries behind the front that were looked at, */
	uint64_t results;  /* and how many of them are results */
};

/* estimator must live as long. The window's limit and its session's current execution may be set
 * before the first record. */
void isolate_init(struct isolate *isolate, enum isolate_policy policy,
    const struct isolate_options *options, struct estimator *estimator);

void isolate_free(struct isolate *isolate);

#endif
