#ifndef PARTS_JOINED_H
#define PARTS_JOINED_H

/*
 * The records of a joiner (parts/joiner.h), as a list in which any record can be removed or moved,
 * unlike in a queue (data/queue.h). A record may also be in a thread, a second list, whose order
 * does not change:
 *
 *     first -> [1 of A] -> [1 of B] -> [in none] -> [2 of A]      A: 1, 2      B: 1
 */

#include "dialects/draft/draft.h"
#include "stream/file/stow.h"

struct joiner_thread {
	struct joined *last; /* the last of its records that are not yet released */
};

struct joiner_session {
	uint32_t index;         /* of the reader; with apart, sessions are emitted in this order */
	struct json_value name; /* a string, or absent */
};

/* The name, or NULL when there is no session or it has none. */
static inline const struct json_value *
joined_session_name(const struct joiner_session *session)
{
	return session != NULL && session->name.type == JSON_STRING ? &session->name : NULL;
}

struct joined {
	struct joined *next;
	struct joined *previous;
	const struct joiner_session *session; /* the session of the record; or NULL */
	struct joiner_thread *thread;         /* NULL: the record is never forgotten */
	struct joined *older;                 /* the neighbours in the same thread */
	struct joined *newer;
	uint32_t agent;      /* index of the agent, kept for the reader */
	uint32_t node;       /* node in the reader's tree, kept for the reader */
	struct draft *draft; /* the message while it is being gathered, then NULL */
	struct buf text;
	/* the message as parsed from the text; NULL: the text is still to be parsed */
	struct message *message;
	struct stow_place stowed; /* the place of the text in stow of the joiner, if it is there */
	uint8_t read;             /* of its metadata, enum record_read */
	struct line line;         /* source line; raw and text are set on release */
	bool sent;                /* it was sent, and is not taken back */
	bool is_shown;            /* text is the draft so far */
	bool is_mark;             /* a mark: nothing is written of it */
	struct buf id;            /* with grows: the id of the message, JSON */
	struct buf
	    /* with grows: the calls of the message, or the call of the result, struct hash each */
	    calls;
	struct buf pieces; /* struct provenance_piece each, where they are noted */
	struct buf sealed; /* names under which joiner_seal counted it, a newline after each */
	bool is_result;
	bool is_answer; /* with sends_once: the first result of its call */
	bool is_given;  /* the record as it came, which the fields below describe */
	enum record_kind kind;
	enum record_state state;
	size_t text_at; /* where line.text starts in line.raw */
	size_t text_len;
};

struct joined_list {
	struct joined *first;
	struct joined *last;
};

/* Puts the record, which is in no list, before another one; NULL: at the end. */
void joined_put(struct joined_list *list, struct joined *joined, struct joined *next);

/* Takes the record out of the list. It stays in its thread. */
void joined_take(struct joined_list *list, struct joined *joined);

/* Puts the record at the end of its thread, or takes it out. Does nothing without a thread. */
void joined_enter_thread(struct joined *joined);
void joined_leave_thread(struct joined *joined);

/* Sorts the records by session, in the order of index. A record without a session stays with the
 * record before it. Linear in the number of records. */
void joined_part(struct joined_list *list);

#endif
