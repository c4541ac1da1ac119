#ifndef REQUEST_LONE_REQUEST_H
#define REQUEST_LONE_REQUEST_H

/*
 * A stage for outputs that make one record of a session, such as a request. Of sessions that stand
 * one behind another (data/stream_session.h) there is one for each. The stage ends the stages after
 * it, up to last, between two of them, and has them begun anew:
 *
 *     a1 a2 | b1 b2 | c1
 */

#include "data/stage.h"
#include "data/stream_session.h"

struct lone_request {
	struct stage stage;
	const struct stage *last; /* the last of the stages that are ended */
	/* Called when they have ended: begins them anew. owner is handed over. */
	void (*renew)(void *owner);
	void *owner;
	struct stream_session session;
	bool has_parted; /* there was a session before */
};

/* renew and owner are set by the caller, and last, before the first record. */
void lone_request_init(struct lone_request *parting);

#endif
