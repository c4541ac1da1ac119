#ifndef DIALECTS_LINE_SESSION_H
#define DIALECTS_LINE_SESSION_H

/*
 * Lines that are a session each: {"messages":[…]} without a model, as in files for fine-tuning. A
 * request, which names its model, is none: a log of them has one session many times. So are the
 * elements of an array of such lines, and conversations of ShareGPT.
 *
 * Their messages and their context record get a metadata.session_id (data/line_id.h), so that the
 * sessions of two lines stay two. It depends on the line alone, and so is the same wherever a file
 * is divided; but a line that comes again gets a number. A session_id that a message has stays.
 * The first record of each line is marked (struct record).
 *
 * The stage stands behind a reader while the reader emits what a line holds.
 */

#include "base/hash/hash.h"
#include "data/stage.h"
#include "json/edit.h"

struct line_session {
	struct stage stage;
	struct map times;      /* by the hash of an id: how often its line came */
	struct buf id;         /* JSON */
	bool has_begun;        /* a record of the line was taken */
	struct json_edit edit; /* of the record that is taken */
	struct buf text;       /* a record with its id */
	struct message parsed; /* read from text */
};

void line_session_init(struct line_session *session);
void line_session_free(struct line_session *session);

/* Whether the value, a request or a line for fine-tuning, is a session of its own. */
bool line_session_is(struct json_value value);

/* The records that the stage takes from now on are of that line, and go to next. */
void line_session_begin(struct line_session *session, struct json_value value, struct stage *next);

/* The same of a line that says its id itself, a string: two of one id are one session. */
void line_session_name(struct line_session *session, struct json_value id, struct stage *next);

#endif
