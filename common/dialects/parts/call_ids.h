#ifndef PARTS_CALL_IDS_H
#define PARTS_CALL_IDS_H

/*
 * Ids of tool calls, written so that an API takes them. Real logs reuse ids, so an id gets a number
 * from its second use on. The results after a message get the new ids of its calls. Where calls of
 * a message have equal ids, their results follow the order of the calls.
 *
 *   - CALL_IDS_ANTHROPIC: an id consists of letters, digits, _ and -, and only one call of all
 *     messages has it;
 *   - CALL_IDS_OPENAI: an id has no control character, and only one call of its message has it.
 *
 * An id of more bytes than max is cut; where that makes two equal, the second gets its number.
 */

#include "base/buf.h"
#include "base/hash/map.h"
#include "json/scan.h"

enum call_ids_rule { CALL_IDS_ANTHROPIC, CALL_IDS_OPENAI };

struct call_ids {
	enum call_ids_rule rule; /* set this and the next three; all else is zero at first */
	char mark;               /* before the number of an id that is used again; 0 is _ */
	unsigned max;            /* bytes of an id; 0: any number */
	/* call_ID|fc_ID, two ids in one, stays unchanged on its first use */
	bool keeps_joined;
	struct map uses;     /* written id -> the number of its last use */
	struct map given;    /* id of a call of the last message -> its written id, in names */
	uint64_t generation; /* counts messages; entries of given for older messages are dead */
	struct buf names;    /* written ids, each ended by a NUL */
	struct buf scratch;
};

void call_ids_begin(struct call_ids *ids);

/* Appends the written id for a call that came with that id: the inside of a JSON string. */
void call_ids_call(struct call_ids *ids, struct json_value id, struct buf *to);

/* Appends the same for the call that a result with that id answers. Returns false when the
 * last message has no such call. */
bool call_ids_result(struct call_ids *ids, struct json_value id, struct buf *to);

void call_ids_free(struct call_ids *ids);

#endif
