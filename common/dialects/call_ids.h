#ifndef DIALECTS_CALL_IDS_H
#define DIALECTS_CALL_IDS_H

/*
 * Ids of tool calls as the Anthropic API takes them: letters, digits, _ and -, each used once. Real
 * logs use an id again; from its second use on it gets a number. The results that follow a message
 * go by its calls' new ids, those of equal ids in the order of the calls. CALL_IDS_INIT makes the
 * empty one.
 */

#include "base/buf.h"
#include "base/hash.h"
#include "json/scan.h"

struct call_ids {
	struct map uses;     /* of an id as it is written: the number of its last use */
	struct map given;    /* of the last message's ids as they came: what they became */
	uint64_t generation; /* counts messages; what given has of older ones is dead */
	struct buf names;    /* what given points to, each ended by a NUL */
	struct buf scratch;
};

#define CALL_IDS_INIT {MAP_INIT, MAP_INIT, 0, BUF_INIT, BUF_INIT}

/* A new message with calls begins. */
void call_ids_begin(struct call_ids *ids);

/* Appends the id that a call gets. */
void call_ids_call(struct call_ids *ids, struct json_value id, struct buf *to);

/* Appends the id of the call that a result answers; false when the last message has none such. */
bool call_ids_result(struct call_ids *ids, struct json_value id, struct buf *to);

void call_ids_free(struct call_ids *ids);

#endif
