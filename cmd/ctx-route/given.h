#ifndef CTX_ROUTE_GIVEN_H
#define CTX_ROUTE_GIVEN_H

/*
 * Values that options give, as JSON of one line: a file that an option names, or a part of its
 * argument.
 */

#include "base/buf.h"

enum given_type {
	GIVEN_TEXT,    /* any UTF-8 text; the value is a string */
	GIVEN_OBJECT,  /* a JSON object */
	GIVEN_OBJECTS, /* a JSON array of objects */
};

/* Appends the content of the file, without a leading byte order mark; nothing for an empty file.
 * Ends the program with status 66 when the file cannot be read, and with 78 when its content is not
 * of the type, or nests too deep for a member of a record. */
void given_read(const char *path, enum given_type type, struct buf *json);

/* Whether text is JSON that may be so many levels deep in a record. */
bool given_is_json(struct str text, unsigned levels);

/* Appends valid JSON without the white space around its values. */
void given_pack(struct buf *buf, struct str json);

#endif
