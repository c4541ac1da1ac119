#ifndef POLICY_ISOLATE_H
#define POLICY_ISOLATE_H

/*
 * Isolation of tool traces at execution boundaries. Pinned, open and frozen groups are never
 * touched; unresolved ones stay, only long error text is cut to head and tail.
 */

#include "tokens/estimate.h"

struct isolate_options {
	uint64_t error_tokens; /* the most that error text of an unresolved group keeps */
	uint64_t min_tokens;   /* mask: results up to this stay */
	uint64_t keep_results; /* mask: the newest results stay */
	struct str placeholder; /* mask: the content of a masked result; "" says its size */
};

/* Each pair group of executions that are not current becomes one trace artifact, and their other
 * assistant trace goes. */
void isolate_boundary(struct session *session, const struct isolate_options *options,
    struct estimator *estimator);

/* Results of executions that are not current become placeholders; calls stay. */
void isolate_mask(struct session *session, const struct isolate_options *options,
    struct estimator *estimator);

#endif
