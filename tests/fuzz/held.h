#ifndef HELD_H
#define HELD_H

/* A session of the lines of a text. Each line is a separate copy with its padding and not a byte
 * more, so that a read behind it is found. */

#include "data/session/session.h"

#include "../unit/json_padded.h"
#include "data/session/session_builder.h"

/* Adds one line of len bytes, the LF included. */
static inline void
held_add(struct session *session, const char *ptr, size_t len, size_t number)
{
	struct str raw = padded_at(str_of(ptr, len), 0, '\n');
	struct line line = {.raw = raw, .text = raw, .file = "-", .number = number};
	struct message message;

	if (len > 0 && raw.ptr[len - 1] == '\n')
		line.text.len--;
	message_parse(&message, line.text);
	session_add(session, &line, &message);
}

/* Initializes session and adds all lines to it. */
static inline void
held_open(struct session *session, enum current current, struct str text)
{
	size_t number = 0;

	session_init(session);
	session_set_current(session, current, STR(""));
	while (text.len > 0) {
		const char *lf = memchr(text.ptr, '\n', text.len);
		size_t len = lf != NULL ? (size_t)(lf - text.ptr) + 1 : text.len;

		held_add(session, text.ptr, len, ++number);
		text = str_of(text.ptr + len, text.len - len);
	}
}

static inline void
held_close(struct session *session)
{
	session_free(session);
	arena_free(&padded_arena);
}

#endif
