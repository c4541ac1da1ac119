#ifndef DIALECTS_CALL_IDS_H
#define DIALECTS_CALL_IDS_H

/*
 * Ids of tool calls as the Anthropic API takes them: an id consists of letters, digits, _ and -,
 * and only one call has it. Real logs use an id again, so an id gets a number from its second use
 * on. The results behind a message get the new ids of its calls. Where calls of a message have
 * equal ids, their results follow the order of the calls. CALL_IDS_INIT makes an empty set.
 */

#include "base/buf.h"
#include "base/hash.h"
#include "json/scan.h"

struct call_ids {
	struct map uses;     /* written id -> the number of its last use */
	struct map given;    /* id of a call of the last message -> its written id, in names */
	uint64_t generation; /* counts messages; entries of given for older messages are dead */
	struct buf names;    /* written ids, each ended by a NUL */
	struct buf scratch;
};

#define CALL_IDS_INIT \
	{ \
		MAP_INIT, MAP_INIT, 0, BUF_INIT, BUF_INIT \
	}

/* Begins a new message with calls. */
void call_ids_begin(struct call_ids *ids);

/* Appends the written id for a call that came with that id. */
void call_ids_call(struct call_ids *ids, struct json_value id, struct buf *to);

/* Appends the written id of the call that a result with that id answers. Returns false when the
 * last message has no such call. */
bool call_ids_result(struct call_ids *ids, struct json_value id, struct buf *to);

void call_ids_free(struct call_ids *ids);

#endif
