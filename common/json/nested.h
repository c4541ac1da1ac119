#ifndef JSON_NESTED_H
#define JSON_NESTED_H

/*
 * JSON text inside a string of JSON, as the arguments of a call are: it is decoded and read, edited
 * as any text, and encoded again.
 *
 *     "{\"path\":\"a.c\"}"      the string
 *     {"path":"a.c"}            nested.text, nested.value
 */

#include "json/edit.h"

struct json_nested {
	struct str text;         /* the decoded string, JSON_PADDING readable bytes behind it */
	struct json_value value; /* absent when the text is no JSON */
};

/* Reads the string; the text is in arena. */
void json_nested_read(struct json_nested *nested, struct json_value string, struct arena *arena);

/* Appends the edited text, encoded as a string, to buf. */
void json_nested_write(struct json_edit *edit, struct buf *buf);

#endif
