#ifndef REQUEST_LONE_REQUEST_H
#define REQUEST_LONE_REQUEST_H

/*
 * A stage for outputs that make one record of a session, such as a request. If sessions follow one
 * another (data/stream_session.h), each becomes a record: between two sessions, the stage ends the
 * stages after it, up to last, and has them begun anew:
 *
 *     a1 a2 | b1 b2 | c1
 */

#include "data/stage.h"
#include "data/stream_session.h"

struct lone_request {
	struct stage stage;
	const struct stage *last; /* the last of the stages that are ended */
	/* Begins the stages anew after they have ended; called with owner. */
	void (*renew)(void *owner);
	void *owner;
	struct stream_session session;
	bool has_parted; /* an earlier session has ended */
};

/* The caller sets renew, owner and last before the first record. */
void lone_request_init(struct lone_request *parting);

#endif
