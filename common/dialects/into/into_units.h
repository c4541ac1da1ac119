#ifndef INTO_INTO_UNITS_H
#define INTO_INTO_UNITS_H

/*
 * A session file as units. A unit is a record that can be taken out: a line, or an element of a
 * list in a line. A line with such a list is also a unit, before its elements:
 *
 *     {"messages":[{…},{…}]}      unit 0, of which units 1 and 2 are elements
 */

#include "dialects/session_file/session_links.h"

#define INTO_NONE UINT32_MAX

struct into_unit {
	struct str whole;        /* its bytes; of a line, with the line end */
	struct json_value value; /* absent: no JSON */
	struct json_value list;  /* of a line: the list of its elements, or absent */
	struct json_value id;    /* a string, or absent */
	uint32_t line;           /* of an element: its line; INTO_NONE: it is a line */
	uint32_t elements;       /* of a line: the number of its elements, the units after it */
	uint32_t messages;       /* messages that are not gone, and were made of it */
	uint32_t pieces;         /* pieces of these messages that are not gone */
	uint32_t stamp;          /* number of the last message that was counted, from 1 */
	uint32_t links;          /* list of its messages: the newest link + 1, or 0 */
	/* of a unit that is gone: the id that replaces its own; or without a ptr */
	struct str heir;
	uint32_t index; /* number of records (objects) before it in the file, … */
	uint32_t place; /* … and in the output, once it is written, or passed over as gone */
	uint32_t next;  /* the next unit that is not gone and has an id, or INTO_NONE */
	uint32_t batch; /* the batch of new records before it + 1, or 0 */
	uint32_t first; /* the earliest record with the same id, whose place it takes; or itself */
	uint32_t shown; /* the record that is shown in its place; or itself */
	struct str chained; /* the id of the last new record before it, JSON; or empty */
	uint32_t keeper;    /* the last compaction that lists it as kept + 1, or 0 */
	const char *listed; /* the list that already has it */
	bool is_made;       /* a message was made of it */
	bool has_pieces;    /* pieces of a message with content were made of it */
	bool is_changed;    /* one of its messages changed */
	bool is_gone;
};

struct into_units {
	const struct session_layout *format;
	struct session_links_paths paths;
	struct str text;
	struct into_unit *unit;
	uint32_t count, cap;
	uint32_t records;  /* units that are objects */
	uint32_t appended; /* the first unit that was appended since the reading, or count */
	uint32_t begins;   /* records of which the member parent is no string */
	bool has_parents;  /* a record names its parent, or one alone begins */
	bool has_ids;
	bool is_held; /* json/json_hold.h has the text */
};

/* Reads the text, which must live as long as the units: one document, or lines. The lines after the
 * first len bytes were appended to the file. JSON_PADDING bytes after the text must be readable. */
void into_units_read(struct into_units *units, const struct session_layout *format, struct str text,
    size_t len, bool is_document);

/* The unit of the byte at ptr. */
uint32_t into_units_at(const struct into_units *units, const char *ptr);

/* The line without its end and a byte order mark. */
struct str into_units_text(const struct into_unit *unit);

void into_units_free(struct into_units *units);

#endif
