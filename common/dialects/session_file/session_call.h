#ifndef SESSION_FILE_SESSION_CALL_H
#define SESSION_FILE_SESSION_CALL_H

/*
 * The calls of the last message of the assistant, as a form spells them, and which of them have
 * their results: results are in the order of the calls.
 */

#include "data/message/message.h"
#include "dialects/parts/call_ids.h"

enum { SESSION_CALL_NONE = -1 };

struct session_call_list {
	unsigned name_max; /* of the form */
	struct call_ids ids;
	struct buf list; /* struct session_call_place */
	size_t next;     /* the call after the last one that has its result */
	struct buf text; /* the text of the calls */
	struct buf scratch;
};

/* Forgets the calls, since another message begins. */
void session_call_begin(struct session_call_list *calls);

/* Notes a call of the message, and sets its values, which are valid until the next call is
 * noted. */
void session_call_add(
    struct session_call_list *calls, const struct tool_call *call, struct str *value);

size_t session_call_count(const struct session_call_list *calls);

/* Sets the values of a call, by its number from 0. They live until the next message begins. */
void session_call_set(const struct session_call_list *calls, size_t number, struct str *value);

/* The number of the call that a result with that id answers; or SESSION_CALL_NONE if there is no
 * such call from next on. */
ptrdiff_t session_call_find(struct session_call_list *calls, struct json_value id);

void session_call_free(struct session_call_list *calls);

#endif
