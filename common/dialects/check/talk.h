#ifndef DIALECTS_TALK_H
#define DIALECTS_TALK_H

/*
 * A conversation as an API sees it: which message may follow which, and which calls still need a
 * result. A zeroed struct has no message.
 */

#include "base/hash/map.h"
#include "dialects/check/inspection.h"

struct talk {
	bool is_begun; /* a message that is no system message came */
	/* the conversation of a request, whose system prompt is a member of its own */
	bool is_body;
	enum role last;   /* role of the message before; ROLE_OTHER: none */
	struct line line; /* of the message before */
	bool ends_blank;  /* the message before is the assistant's and ends with blanks */
	uint64_t messages;
	uint64_t group; /* counts messages with calls */
	struct talk_call *due;
	uint32_t due_count;
	uint32_t due_cap;
	struct buf ids;
	struct map by_group; /* (group, id) -> index in due */
	struct map all;      /* every id of a call */
};

/* Notes a call of the message, or the result of an earlier call, by its id, a JSON string. */
void talk_add_call(struct talk *talk, struct inspection *inspection, struct json_value id);
void talk_add_result(struct talk *talk, struct inspection *inspection, struct json_value id);

/* Notes that no more results follow: a call without a result is a violation. */
void talk_close_calls(struct talk *talk, struct inspection *inspection);

/* Judges the next message of the conversation. */
void talk_add(struct talk *talk, struct inspection *inspection, const struct message *message);

/* Judges the end of the conversation, and frees what talk holds. */
void talk_end(struct talk *talk, struct inspection *inspection);

/* Frees what talk holds; talk_end need not have been called. */
void talk_free(struct talk *talk);

/* Judges a whole conversation, an array of messages; is_body: the messages of a request. */
void talk_judge_list(struct inspection *inspection, struct json_value list, bool is_body);

#endif
