#ifndef POLICY_DROP_DROP_ARTIFACT_H
#define POLICY_DROP_DROP_ARTIFACT_H

/*
 * The artifact of the dropped messages while more are being dropped: whether it pays, its room, and
 * its text.
 */

#include "policy/drop/drop_how.h"
#include "policy/summary/summary.h"

struct drop_artifact {
	struct compaction *compaction;
	const struct drop_how *how;
	struct summary summary;
	uint64_t bound;         /* tokens that the digest may have; 0: no digest */
	uint64_t used_before;   /* tokens of the session before the first drop */
	uint64_t replaced;      /* tokens of the artifact that is replaced */
	uint64_t bytes_gone;    /* at least */
	uint64_t doomed_tokens; /* at least, of doomed entries that were dropped */
	uint64_t written;       /* tokens of the text that was written last */
	uint64_t fits_from; /* the most tokens that may be left beside the rules; 0: not known */
	bool does_pay;      /* the text that was written last pays */
	bool has_fit;       /* enough was dropped for the target, by then */
	bool is_late;       /* the units now dropped are those kept by value */
};

/* Begins with the facts of the artifact that is replaced. compaction, how, bound and used_before
 * must be set. summary_close ends it. */
void drop_artifact_open(struct drop_artifact *artifact);

/* Adds an entry that is dropped; was_gone: the entry was dropped before the artifact was opened. */
void drop_artifact_add(struct drop_artifact *artifact, uint32_t entry, bool was_gone);

/* Whether the artifact of all that was dropped by now pays, with all of its facts. */
bool drop_artifact_pays(struct drop_artifact *artifact);

/* Whether enough was dropped for the target. */
bool drop_artifact_fits(struct drop_artifact *artifact);

/* Writes the artifact, with less text if the budget would be exceeded or the artifact would not pay
 * otherwise, and with more if there is room for it. Returns whether the artifact pays. */
bool drop_artifact_write(struct drop_artifact *artifact);

#endif
