#ifndef INPUT_DOCUMENT_H
#define INPUT_DOCUMENT_H

/*
 * JSON values that are printed over several lines, as jq, editors and APIs write them, one after
 * another. A value is followed token by token as it comes, so that its end is known with its last
 * bracket, and so is the line at which it is no JSON any more.
 */

#include "base/buf.h"
#include "json/value.h"
#include "stream/input.h"

enum document_state {
	DOCUMENT_MORE,    /* the value goes on after the text */
	DOCUMENT_ELEMENT, /* an element of the value ends in the text, with the comma after it */
	DOCUMENT_WHOLE,   /* the value ends in the text */
	DOCUMENT_BROKEN,  /* no value, whatever comes */
};

struct document {
	size_t at;       /* bytes of the text that were read; when whole, the end of the value */
	bool by_element; /* stop after each element of an array; set after document_init */
	unsigned depth;
	unsigned char expected;                  /* enum token in document.c */
	bool is_string;                          /* at is in a string */
	bool is_name;                            /* which is the name of a member */
	bool is_escaped;                         /* after a backslash in that string */
	bool is_scalar;                          /* at is in a number or a word */
	uint64_t is_object[JSON_DEPTH_MAX / 64]; /* a bit for each level that is open */
};

/* Whether the line is the beginning of a JSON text that goes on in the next line: it is valid up to
 * its end, and ends between two tokens. */
bool document_begins(const struct line *line);

/* Prepares to read an array or an object. */
void document_init(struct document *document);

/* Reads on in text, which begins with the text of the call before. */
enum document_state document_read(struct document *document, struct str text);

/* Writes the JSON of text into line, without line feeds and the indentation after them. text must
 * have, and line gets, JSON_PADDING readable bytes at its end. Returns false when text is not
 * JSON. */
bool document_unfold(struct str text, struct buf *line);

#endif
