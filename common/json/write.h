#ifndef JSON_WRITE_H
#define JSON_WRITE_H

/*
 * Writing JSON into a buffer. In strings, only those characters are escaped that RFC 8259 requires
 * to be: quote, backslash and C0 controls, with the short forms \b \f \n \r \t. Ill-formed UTF-8
 * becomes U+FFFD. The writer puts commas by itself:
 *
 *     json_open(&w, '{');  json_name(&w, STR("role"));  json_put_string(&w, STR("user"));
 *     json_close(&w);
 */

#include "base/buf.h"
#include "json/value.h"

/* Appends text as a JSON string, quotes included. */
void json_write_string(struct buf *buf, struct str text);

/* The same for a text that is JSON, and therefore valid UTF-8. */
void json_write_json(struct buf *buf, struct str text);

/* Appends text escaped, without quotes. */
void json_write_escaped(struct buf *buf, struct str text);

struct json_writer {
	struct buf *buf;  /* owned by the caller */
	uint64_t closers; /* one bit for each open level, 1 for an object; at most 64 levels */
	unsigned depth;
	bool comma; /* the next value or name needs a comma before it */
};

void json_writer_init(struct json_writer *w, struct buf *buf);

/* The same, and then json_open: begins the text with an object or an array. */
void json_begin(struct json_writer *w, struct buf *buf, char bracket);

/* Begins an object or an array; bracket is '{' or '['. */
void json_open(struct json_writer *w, char bracket);
void json_close(struct json_writer *w);
void json_name(struct json_writer *w, struct str name);

void json_put_string(struct json_writer *w, struct str text);
/* The same for a text that is JSON, and therefore valid UTF-8. */
void json_put_json(struct json_writer *w, struct str text);
void json_put_integer(struct json_writer *w, int64_t number);
/* Puts number, rounded to six decimals, in its shortest form: 2, 0.25. A number that is not finite
 * becomes null. */
void json_put_real(struct json_writer *w, double number);
void json_put_bool(struct json_writer *w, bool value);
/* Puts valid JSON text as it is. */
void json_put_raw(struct json_writer *w, struct str json);
/* Puts the value as it is spelled. */
void json_put_value(struct json_writer *w, struct json_value value);
/* Puts a member, its name and its value as they are spelled. */
void json_put_member(struct json_writer *w, struct json_value name, struct json_value value);

/* Each puts a name and its value, or a name and the start of an object or array. */
void json_member_open(struct json_writer *w, struct str name, char bracket);
void json_member_string(struct json_writer *w, struct str name, struct str text);
void json_member_integer(struct json_writer *w, struct str name, int64_t number);
void json_member_real(struct json_writer *w, struct str name, double number);
void json_member_bool(struct json_writer *w, struct str name, bool value);
void json_member_raw(struct json_writer *w, struct str name, struct str json);
/* Puts nothing when the value is absent. */
void json_member_value(struct json_writer *w, struct str name, struct json_value value);

/* The value that begins at offset from of the text. Pads the text (buf_pad). The value lives until
 * the text changes. */
struct json_value json_written(struct buf *text, size_t from);

/* The same for a text that is one value. */
struct json_value json_written_whole(struct buf *text);

#endif
