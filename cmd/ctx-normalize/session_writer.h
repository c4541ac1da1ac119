#ifndef CTX_NORMALIZE_SESSION_WRITER_H
#define CTX_NORMALIZE_SESSION_WRITER_H

/*
 * The stages that put the canonical records of one session in order, and write them in the output's
 * dialect:
 *
 *     parting -> tombstone -> prompt -> in_time -> order -> repair -> systems -> writer -> request
 *
 * Only the repair and the writer are always there. With order, records are first repaired in the
 * order of time, since only that shows which records came late, and which execution is over. The
 * stages after parting begin anew with each line that is a session. Beside a writer of anything but
 * a log is surrogates: at the end for an API, else at the beginning.
 */

#include "dialects/request/prompt.h"
#include "dialects/request/request.h"
#include "dialects/surrogates.h"
#include "face/sessions/sessions.h"
#include "findings.h"

/* The stages for the messages of an API. */
struct session_writer_api {
	struct prompt prompt;
	struct systems systems;
	struct request request;
};

struct session_writer_parting;

struct session_writer {
	struct findings *findings; /* of the records, maybe of many sessions */
	/* Before the stages that begin anew; NULL: no stage does. */
	struct session_writer_parting *parting;
	struct tombstone tombstone;
	struct repair *in_time;      /* before order; or NULL */
	struct dialect_stage *order; /* or NULL */
	struct repair repair;
	struct dialect_stage *writer;
	struct session_writer_api *api; /* or NULL */
	struct surrogates surrogates;   /* not in a log, which keeps all bytes */
};

/* Opens the stages, and sets stages to them. findings, which has the list of findings, must live as
 * long. */
void session_writer_open(
    struct session_writer *one, struct findings *findings, struct stage **stages);

/* Call when the stages have ended. is_lone says that the input has no other session. */
void session_writer_end(struct session_writer *one, bool is_lone);

/* Adds the counts of the stages to the account. */
void session_writer_count(struct session_writer *one);

void session_writer_free(struct session_writer *one);

#endif
