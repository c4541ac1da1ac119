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
 * Without --session-key there is one lane, whose stages stand between source and sink as they are.
 * The command says how one lane is opened, and what is to be told of it at its end (session of
 * struct command). All of them are run by face/runner.h, or by the command itself where it does
 * something between the records:
 *
 *     sessions_open(&sessions, &run, &command, self);
 *     while (run_read(&run))
 *             while (run_take(&run))
 *                     ;
 *     sessions_end(&sessions);
 *     sessions_free(&sessions);
 *
 * Sessions within a session (sessions_nest) are told by the key that its records have by now, or,
 * without --session-key, by the name that a reader gave them (struct record). Records without one
 * are of the first of these sessions.
 *
 * The messages of a store of instructor may alone say whose they are: a context record of a store
 * that has no key is of the session of the record after it, and waits for that one.
 *
 * All other records that have no key, with blank and bad lines, are a session of their own; with
 * --sorted, a blank or bad line is of the session that it stands in. What a lane emits before the
 * input has ended leaves at once. What all lanes emit at the end leaves in the order of the input
 * (gathered.h).
 *
 * A record that a lane adds gets the key, where it has none, so that the next command of a pipeline
 * knows its session.
 */

#include "data/session/session_key.h"
#include "face/sessions/gathered.h"
#include "face/sessions/lanes.h"

struct sessions {
	struct stage stage;  /* takes each record to its lane */
	struct stage outlet; /* behind every lane */
	struct lanes lanes;
	enum sessions_keys keys;
	struct session_key key;
	bool is_named; /* without a key: the sessions are told by the names that a reader gave */
	struct lane **lane; /* in the order of their first records */
	size_t count, cap;
	uint64_t begun;    /* lanes so far */
	uint64_t nested;   /* those of sessions within a lane, but for one each */
	struct map by_key; /* of the keys so far: their lanes, or with --sorted numbers of them */
	struct lane *keyless; /* the lane of the records without a key, or NULL */
	bool has_stopped;     /* a session came again that --sorted has ended */
	bool gathers;         /* the input has ended: what is emitted is gathered */
	struct queue gathered;
	struct record opening;  /* the context record that waits; without a block: none does */
	struct message message; /* of a record that is added */
};

/* Opens what the options of the run ask for and links it in front of the sink. Ends the program
 * with status 64 when the options are wrong. */
void sessions_open(
    struct sessions *sessions, struct run *run, const struct command *command, void *self);

/* Opens sessions within a session of the run that has no key: its records may have got one by now,
 * or a name. Returns the stage that parts them, for the list of that session's stages. When the
 * session is finished, call sessions_finish. */
struct stage *sessions_nest(
    struct sessions *sessions, struct run *run, const struct command *command, void *self);
void sessions_finish(struct sessions *sessions);

/* The key of the session that is finished, as text, "-" where it has none; NULL when there is one
 * session without --session-key. */
const char *sessions_label(const struct sessions *sessions);

/* Writes text, one JSON object of the command itself with JSON_PADDING readable bytes behind it, as
 * an added record of the session that is finished. */
void sessions_add(struct sessions *sessions, struct str text);

/* Begins another session in the lane that there is without --session-key: no later record forgets
 * what came before. */
void sessions_part(struct sessions *sessions);

/* Ends all sessions, and finishes them in the order of their first records. */
void sessions_end(struct sessions *sessions);

void sessions_free(struct sessions *sessions);

#endif
