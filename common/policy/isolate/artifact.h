#ifndef POLICY_ISOLATE_ARTIFACT_H
#define POLICY_ISOLATE_ARTIFACT_H

/*
 * The trace artifact: one short message that stands for pair groups of an execution that is over,
 * and keeps their facts. Each group has a line.
 *
 *     {"role":"assistant","content":"[trace] read a.c: ok, 9 kB","metadata":{"kind":"trace",
 *      "scope":"historical",…,"is_trace":true,"facts":{"tool":"read",…}}}
 */

#include "data/archive/archive.h"
#include "policy/budget/weigh.h"

struct artifact {
	const uint32_t *group; /* of one execution, in their order; at least one */
	uint32_t count;
	enum role role;
	struct str resolves; /* the JSON of ids that it resolves; "": none */
	/* Groups that are hardly larger than their artifact leave no room for facts: without scope
	 * and facts. */
	bool is_brief;
};

/* Appends the artifact. The uses of the calls must be known (session_use). On the way notes what
 * is seen of the tokens of the results (weigh_note). gone has the keys of the groups where the
 * session is archived, and else none. Returns the most tokens of a vocabulary that the artifact can
 * have. */
uint64_t artifact_write(struct session *session, const struct artifact *artifact,
    const struct archive_list *gone, struct estimator *estimator, struct buf *buf);

#endif
