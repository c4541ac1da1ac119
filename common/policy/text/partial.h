#ifndef TEXT_PARTIAL_H
#define TEXT_PARTIAL_H

/*
 * A part of a message where the whole does not fit: the head or the tail of its texts, up to a code
 * point. It becomes the content, as one string, and the message is marked compacted.
 */

#include "policy/budget/weigh.h"

enum partial {
	PARTIAL_NONE,
	PARTIAL_HEAD,
	PARTIAL_TAIL,
};

/* Cuts the entry to at most that many tokens. Returns false, with the entry unchanged, when none of
 * its text fits, or the entry may not be cut: only messages of the user or the model may, outside
 * groups, and not if they are pinned or compacted. */
bool partial_cut(struct session *session, uint32_t entry, enum partial part, uint64_t tokens,
    struct estimator *estimator);

#endif
