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

/* Cuts the entry to at most that many tokens. Returns false, with the entry as it was, when nothing
 * of its texts fits, and when it is none that may be cut: only what the user or the model said may,
 * outside groups, and neither pinned messages nor compacted ones. */
bool partial_cut(struct session *session, uint32_t entry, enum partial part, uint64_t tokens,
    struct estimator *estimator);

#endif
