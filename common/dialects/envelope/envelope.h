#ifndef ENVELOPE_ENVELOPE_H
#define ENVELOPE_ENVELOPE_H

/*
 * The reader of records that hold records of other dialects, such as the request in a line of a
 * batch. What is inside is read as if it stood alone, by the reader of the dialect that it tells:
 *
 *     record -> read -> envelope_read -> reader of what is inside -> session -> next
 *
 * Each record is a session (line_session.h). Where nothing inside is understood, the record passes
 * and is named.
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
	struct buf text;             /* what is inside of it */
};

/* Makes the reader. */
struct dialect_stage *envelope_reader(const struct dialect *dialect,
    struct dialect_reading *reading,
    bool (*read)(struct envelope *envelope, const struct record *record));

/* The dialect of what is inside; NULL: it is none whose records stand for themselves. */
const struct dialect *envelope_find(struct json_value inside);

/* What is read of the record from now on is of the session with that id, a string. */
void envelope_begin(struct envelope *envelope, struct json_value id);

/* Reads what is inside the record as a record of that dialect. */
void envelope_read(struct envelope *envelope, const struct record *record,
    const struct dialect *dialect, struct str inside);

#endif
