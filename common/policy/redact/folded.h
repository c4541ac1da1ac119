#ifndef REDACT_FOLDED_H
#define REDACT_FOLDED_H

/*
 * A text as secrets are looked for in it: escapes of URLs are decoded, and characters without width
 * are left out, which pages and chats put into what is copied from them.
 *
 *     sig=a%2Bb...     sig=a+b...
 *
 * Escapes of control characters and of bytes that are not ASCII stay: they part words either way.
 */

#include "base/buf.h"

struct folded {
	struct str text; /* with JSON_PADDING readable bytes behind it */
	struct buf buf;  /* of the text, where it is not the one that was given */
	/* The byte that the byte of text at the place "at" was made of. */
	const char *from, *end;
	size_t at;
};

/* Folds the bytes, which have JSON_PADDING readable ones behind them and stay as long as the folded
 * text is asked for. folded is zeroed, or was opened before. */
void folded_open(struct folded *folded, struct str bytes);

/* Where the bytes from start to end of the text come from. No call may ask for a place before one
 * that an earlier one asked for. */
struct str folded_origin(struct folded *folded, const char *start, const char *end);

void folded_free(struct folded *folded);

#endif
