#ifndef POLICY_ISOLATE_ISOLATION_STAGE_H
#define POLICY_ISOLATE_ISOLATION_STAGE_H

/*
 * A stage that isolates tool traces at the boundaries of executions. Pinned, open and frozen groups
 * are never touched. Unresolved groups stay; only their long error text is cut to head and tail. An
 * entry leaves when its execution is over, when its group has all results, and when no failure of
 * its group may be resolved any more (data/window.h). With an estimator that learns from reported
 * usage, all entries leave at the end.
 */

#include "policy/isolate/isolation.h"

extern const struct isolation_policy boundary_policy, mask_policy;

/* The name of a policy, and its struct. NULL: each record leaves as it came. */
#define ISOLATION_STAGE_POLICIES(ROW) \
	ROW(boundary, &boundary_policy) \
	ROW(mask, &mask_policy) \
	ROW(transparent, NULL)

/* The rows. */
extern const struct isolation_policy *const isolation_stage_policies[];

/* estimator must live as long as the isolation. Before the first record, the caller may set the
 * limit of the window and the current execution of the window's session. */
void isolation_stage_init(struct isolation *isolation, const struct isolation_policy *policy,
    const struct isolation_options *options, struct estimator *estimator);

void isolation_stage_free(struct isolation *isolation);

#endif
