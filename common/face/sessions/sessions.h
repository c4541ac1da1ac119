#ifndef SESSIONS_SESSIONS_H
#define SESSIONS_SESSIONS_H

/*
 * The options --session-key and --sorted: many sessions in one stream, each treated as if it were
 * alone. Each key has a lane (face/sessions/lanes.h):
 *
 *             .-> lane a: stage -> stage -.
 *     source -+-> lane b: stage -> stage -+-> outlet -> sink
 *             '-> lane c: stage -> stage -'
 *
 * Without --session-key there is one lane, whose stages are linked directly between source and
 * sink. The command's row (session of struct command) has the functions that open a lane and report
 * on it at its end. face/runner.h runs all lanes, or the command itself if it does something
 * between the records:
 *
 *     sessions_open(&sessions, &run, &command, self);
 *     while (run_read(&run))
 *             while (run_take(&run))
 *                     ;
 *     sessions_end(&sessions);
 *     sessions_free(&sessions);
 *
 * Sessions within a session (sessions_nest) are told apart by the key that their records have by
 * now, or, without --session-key, by the name that a reader gave them (struct record). Records
 * without a name belong to the first of these sessions.
 *
 * In a store of instructor, only the messages may name their session. A context record without a
 * key waits for the record after it, and belongs to the session of that record.
 *
 * All other records without a key, and blank and bad lines, form a session of their own; with
 * --sorted, a blank or bad line belongs to the session around it. A record that a lane emits before
 * the end of the input is written at once. Records that the lanes emit at the end are written in
 * the order of the input (gathered.h).
 *
 * A record that a lane adds gets the lane's key if it has none, so that the next command of a
 * pipeline knows its session.
 */

#include "base/hash/map.h"
#include "data/session/session_key.h"
#include "face/sessions/gathered.h"
#include "face/sessions/lane_ahead.h"
#include "face/sessions/lanes.h"

struct sessions {
	struct stage stage;  /* takes each record to its lane */
	struct stage outlet; /* after every lane */
	struct lanes lanes;
	enum sessions_keys keys;
	struct session_key key;
	bool is_named;      /* without a key: the reader's names tell sessions apart */
	struct lane **lane; /* in the order of their first records */
	size_t count, cap;
	uint64_t begun;    /* lanes so far */
	uint64_t nested;   /* lanes of sessions within a lane, less one for each such lane */
	struct map by_key; /* of the keys so far: their lanes, or with --sorted numbers of them */
	struct lane_ahead ahead;
	struct lane *keyless; /* the lane of the records without a key, or NULL */
	bool has_stopped;     /* a session came again that --sorted has ended */
	bool gathers;         /* the input has ended: emitted records are gathered */
	struct queue gathered;
	struct record opening;  /* the context record that waits; without a block: none does */
	struct message message; /* of a record that is added */
};

/* Opens the sessions as the options of the run ask, and links them before the sink. Ends the
 * program with status 64 when the options are wrong. */
void sessions_open(
    struct sessions *sessions, struct run *run, const struct command *command, void *self);

/* Opens sessions within a session of the run that has no key: its records may have got a key or a
 * name since. Returns the stage that separates these sessions, for the list of that session's
 * stages. When the session is finished, call sessions_finish. */
struct stage *sessions_nest(
    struct sessions *sessions, struct run *run, const struct command *command, void *self);
void sessions_finish(struct sessions *sessions);

/* The key of the session that is finished, as text; "-" if the session has no key. NULL without
 * --session-key. */
const char *sessions_label(const struct sessions *sessions);

/* Writes text, one JSON object of the command itself with JSON_PADDING readable bytes after it, as
 * an added record of the session that is finished. */
void sessions_add(struct sessions *sessions, struct str text);

/* Begins another session in the only lane, the one without --session-key: no later record forgets a
 * record before this point. */
void sessions_part(struct sessions *sessions);

/* Ends all sessions, and finishes them in the order of their first records. */
void sessions_end(struct sessions *sessions);

void sessions_free(struct sessions *sessions);

#endif
