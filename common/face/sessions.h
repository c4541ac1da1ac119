#ifndef FACE_SESSIONS_H
#define FACE_SESSIONS_H

/*
 * The options --session-key and --sorted: many sessions in one stream, each treated as if it were
 * alone. Each key has a lane, the command's stages with a state of their own:
 *
 *             .-> lane a: stage -> stage -.
 *     source -+-> lane b: stage -> stage -+-> outlet -> sink
 *             '-> lane c: stage -> stage -'
 *
 * Without --session-key there is one lane, whose stages stand between source and sink as they are.
 * A command says how one lane is opened, and what is to be told of it at its end (struct
 * session_kind), and runs all of them with sessions_run.
 *
 * Records that have no key, with blank and bad lines, are a session of their own; with --sorted, a
 * blank or bad line is of the session that it stands in. What a lane emits before the input has
 * ended leaves at once. What all lanes emit at the end leaves in the order of the input: a record
 * that comes later in the input than all that its lane has emitted is an anchor, and stands at its
 * place; any other one stands behind the lane's last anchor, or, without one, where its session
 * begins.
 *
 *     a1 b1 a2 a3 b2        input, all of it held
 *     a1 + a3 a2            emitted by lane a: one was added, and a3 was moved in front of a2
 *     a1 + b1 a3 a2 b2      written: a3 is an anchor, and a2 follows it
 *
 * A record that a lane adds gets the key, where it has none, so that the next command of a pipeline
 * knows its session.
 */

#include "face/run.h"
#include "face/session_key.h"

enum { SESSIONS_STAGES = 16 };

/* How a command treats one session. */
struct session_kind {
	size_t size; /* of the command's struct of a session, which is zeros before open */
	/* Opens a session and sets its stages, SESSIONS_STAGES - 1 at most, which stand in it. */
	void (*open)(void *owner, void *session, struct stage **stages);
	/* Called when the stages have ended. Each function may be NULL. */
	void (*finish)(void *owner, void *session);
	void (*close)(void *owner, void *session);
};

/* Takes all records of the run through the stages of their sessions. Ends the program with status
 * 64 when the options are wrong. */
void sessions_run(struct run *run, const struct session_kind *kind, void *owner);

#endif
