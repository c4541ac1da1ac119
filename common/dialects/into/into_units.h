#ifndef INTO_INTO_UNITS_H
#define INTO_INTO_UNITS_H

/*
 * A session file as units, the records that can be taken out: lines, or the elements of a list in a
 * line. A line that has such a list is a unit, too, in front of its elements:
 *
 *     {"messages":[{…},{…}]}      unit 0, of which units 1 and 2 are elements
 */

#include "dialects/session_file/session_links.h"

#define INTO_NONE UINT32_MAX

struct into_unit {
	struct str whole;        /* its bytes; of a line with its end */
	struct json_value value; /* absent: no JSON */
	struct json_value list;  /* of a line: what has its elements, or absent */
	struct json_value id;    /* a string, or absent */
	uint32_t line;           /* of an element: its line; INTO_NONE: it is a line */
	uint32_t elements;       /* of a line: so many units behind it */
	uint32_t messages;       /* that are there, and made of it */
	uint32_t pieces;         /* of theirs, that are there */
	uint32_t stamp;          /* of the last message that was counted, from 1 */
	uint32_t links;          /* its messages: the newest link + 1, or 0 */
	struct str heir; /* of one that is gone: the id that takes its place; or without a ptr */
	uint32_t index;  /* records of the file in front of it, which are all objects, … */
	uint32_t place;  /* … and of what is written, once it is, or what is gone passed over */
	uint32_t next;   /* the first one behind it that is there and has an id, or INTO_NONE */
	uint32_t batch;  /* the new records in front of it + 1, or 0 */
	uint32_t first;  /* the earliest record with its id, whose place it takes; or itself */
	uint32_t shown;  /* the record that is written in its place; or itself */
	struct str chained; /* the id of the last new record that it follows, JSON; or empty */
	uint32_t keeper;    /* the last compaction that lists it among what it keeps + 1, or 0 */
	const char *listed; /* the list that has it already */
	bool is_made;       /* a message was made of it */
	bool has_pieces;    /* of a message that says something */
	bool is_changed;    /* one of these is not the same */
	bool is_gone;
};

struct into_units {
	const struct session_layout *format;
	struct session_links_paths paths;
	struct str text;
	struct into_unit *unit;
	uint32_t count, cap;
	uint32_t records;  /* that are objects */
	uint32_t appended; /* the first unit that was appended since the reading, or count */
	bool has_parents;  /* a record has the member, whatever it says */
	bool has_ids;
	bool is_held; /* json/json_hold.h has the text */
};

/* Reads the text, behind which JSON_PADDING bytes are readable: one document, or lines, of which
 * those behind the first len bytes were appended. It lives as long as the units. */
void into_units_read(struct into_units *units, const struct session_layout *format, struct str text,
    size_t len, bool is_document);

/* The unit in which the byte stands. */
uint32_t into_units_at(const struct into_units *units, const char *ptr);

/* The line without its end and a byte order mark. */
struct str into_units_text(const struct into_unit *unit);

void into_units_free(struct into_units *units);

#endif
