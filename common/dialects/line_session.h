#ifndef DIALECTS_LINE_SESSION_H
#define DIALECTS_LINE_SESSION_H

/*
 * Lines that are sessions: {"messages":[…]} without a model, as in files for fine-tuning. So are
 * the elements of an array of such lines, and conversations of ShareGPT. A request, which names its
 * model, is not a session: a log of requests has the same session many times.
 *
 * Their messages and their context record get a metadata.session_id (data/line_id.h), so that the
 * sessions of two lines stay separate. The id depends on the line alone, so it does not change when
 * a file is divided; a repeated line gets a number. A message that has a session_id keeps it. The
 * first record of each line is marked (struct record).
 *
 * The stage follows a reader while the reader emits the records of a line.
 */

#include "base/hash/map.h"
#include "data/stage.h"
#include "json/edit.h"

struct line_session {
	struct stage stage;
	struct map times;      /* hash of an id -> how often its line came */
	struct buf id;         /* JSON */
	bool has_begun;        /* a record of the line was taken */
	struct json_edit edit; /* of the record at hand */
	struct buf text;       /* a record with its id */
	struct message parsed; /* read from text */
};

void line_session_init(struct line_session *session);
void line_session_free(struct line_session *session);

/* Whether the value, a request or a line for fine-tuning, is a session of its own. */
bool line_session_is(struct json_value value);

/* The records that the stage takes from now on are of the line value, and go to next. */
void line_session_begin(struct line_session *session, struct json_value value, struct stage *next);

/* The same for a line that has an id of its own, a string: lines with the same id are one
 * session. */
void line_session_name(struct line_session *session, struct json_value id, struct stage *next);

#endif
