#ifndef ENVELOPE_ENVELOPE_H
#define ENVELOPE_ENVELOPE_H

/*
 * The reader of records that hold records of other dialects, such as the request in a line of a
 * batch. The inner record is read as if it were alone, by the reader of its own dialect:
 *
 *     record -> read -> envelope_read -> reader of the inner dialect -> session -> next
 *
 * Each record is a session (line_session.h). A record in which nothing is understood passes, and is
 * reported.
 */

#include "dialects/dialect_reader.h"
#include "dialects/line_session.h"

struct envelope {
	struct dialect_stage base;
	const struct dialect *dialect; /* of the records */
	struct dialect_reading *reading;
	/* Reads a record that has a sign of the dialect. Returns false when nothing in it is
	 * understood. */
	bool (*read)(struct envelope *envelope, const struct record *record);
	struct line_session session; /* of the record that is read */
	struct buf text;             /* the inner record */
};

/* Makes the reader. */
struct dialect_stage *envelope_reader(const struct dialect *dialect,
    struct dialect_reading *reading,
    bool (*read)(struct envelope *envelope, const struct record *record));

/* The dialect of the inner value. NULL: no dialect, or one whose records cannot be read alone. */
const struct dialect *envelope_find(struct json_value inside);

/* Gives the messages that are read from now on the session of that id, a string. */
void envelope_begin(struct envelope *envelope, struct json_value id);

/* Reads inside, a part of the record, as a record of that dialect. */
void envelope_read(struct envelope *envelope, const struct record *record,
    const struct dialect *dialect, struct str inside);

#endif
