#ifndef JSON_NESTED_H
#define JSON_NESTED_H

/*
 * JSON text inside a JSON string, such as the arguments of a call. The string is decoded, its text
 * is read and edited as any JSON text is, and the result is encoded as a string again.
 *
 *     "{\"path\":\"a.c\"}"      the string
 *     {"path":"a.c"}            nested.text, nested.value
 */

#include "json/edit.h"

struct json_nested {
	struct str text;         /* decoded, with JSON_PADDING readable bytes after it */
	struct json_value value; /* absent when the text is not JSON */
};

/* Reads the string. The decoded text lives in arena. */
void json_nested_read(struct json_nested *nested, struct json_value string, struct arena *arena);

/* The same, and sets scan to the result of json_scan for the decoded text, with names. */
void json_nested_scan(struct json_nested *nested, struct json_value string,
    const struct json_names *names, struct json_scan *scan, struct arena *arena);

/* The value of the decoded text, in which line ends become blanks first; absent when the text is
 * not JSON. The decoded text lives in arena. */
struct json_value json_nested_line(struct json_value string, struct arena *arena);

/* Replaces the line ends of a JSON text by blanks, in place. The text stays equal in meaning, since
 * line ends in JSON are only between tokens. */
void json_unfold(char *text, size_t len);

/* Appends the edited text, encoded as a string, to buf. */
void json_nested_write(struct json_edit *edit, struct buf *buf);

#endif
