#ifndef POLICY_ISOLATE_H
#define POLICY_ISOLATE_H

/*
 * A stage that isolates tool traces at the boundaries of executions. Pinned, open and frozen groups
 * are never touched. Unresolved groups stay; only their long error text is cut to head and tail. An
 * entry leaves when its execution is over, when its group has all results, and when no failure of
 * its group may be resolved any more (data/window.h). With an estimator that learns from reported
 * usage, all entries leave at the end.
 */

#include "data/window.h"
#include "policy/selection.h"
#include "tokens/fit.h"

enum isolate_policy {
	ISOLATE_BOUNDARY, /* each pair group of executions that are not current becomes one trace
	                     artifact, and their other assistant trace goes */
	ISOLATE_MASK,     /* results of executions that are not current become placeholders */
};

struct isolate_options {
	uint64_t error_tokens;    /* error text of an unresolved group is cut to this */
	uint64_t min_tokens;      /* mask: results of at most that many tokens stay */
	uint64_t keep_results;    /* mask: that many of the newest results stay */
	struct str placeholder;   /* mask: the new content of a result; "": a text with its size */
	struct selection *chosen; /* only this trace may be touched; NULL: all */
};

struct isolate {
	struct window window; /* first, so that it is a stage */
	struct isolate_options options;
	struct estimator *estimator;
	enum fit_result fitted; /* whether the estimator had enough to learn from */
	uint64_t points;        /* the number of these responses */
	uint32_t looked;        /* mask: entries behind the front that were looked at */
	uint64_t results;       /* mask: the number of results among them */
};

/* estimator must live as long as isolate. Before the first record, the caller may set the limit of
 * the window and the current execution of the window's session. */
void isolate_init(struct isolate *isolate, enum isolate_policy policy,
    const struct isolate_options *options, struct estimator *estimator);

void isolate_free(struct isolate *isolate);

#endif
