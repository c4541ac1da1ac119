/*
 * Conversations as ShareGPT and LLaMA-Factory keep them, for fine-tuning; this file reads them.
 *
 *     {"conversations":[{"from":"human","value":"…"},…],"system":"…","tools":"…",…}
 *
 * Each is a session of its own. The turns become messages (sharegpt_turns.h), and what stands
 * beside them becomes a context record and a system message, as of a request. The answers of data
 * for ranking, chosen and rejected, stand in metadata.request then. A turn that is not understood
 * stays in its place as a foreign record.
 */

#include "dialects/request/chat.h"
#include "dialects/sharegpt/sharegpt_turns.h"

/* The list of turns, or absent. Its first element tells. */
static struct json_value
find_turns(struct json_value record)
{
	struct json_value list = json_find(record, STR("conversations"));

	if (list.type != JSON_ARRAY ||
	    (json_has_elements(list) && !sharegpt_turns_is_turn(json_first(list))))
		list.type = JSON_ABSENT;
	return list;
}

static enum dialect_sign
sign(struct json_value record)
{
	if (record.type == JSON_ARRAY)
		record = json_first(record);
	return record.type == JSON_OBJECT && find_turns(record).type == JSON_ARRAY ?
	    DIALECT_SIGN_CLEAR :
	    DIALECT_SIGN_NONE;
}

static bool
read_record(struct chat *chat, const struct line *line, struct json_value record)
{
	struct sharegpt_turns turns = SHAREGPT_TURNS_INIT;
	struct json_value list = find_turns(record);
	struct buf text = BUF_INIT;

	if (list.type != JSON_ARRAY)
		return false;
	chat_begin_session(chat, record);
	chat_read_frame(chat, line, record, STR("conversations"));
	for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);) {
		struct json_value element = walk.value;

		if (sharegpt_turns_is_turn(element)) {
			sharegpt_turns_read(&turns, element, &text);
			element = json_value_at(text.ptr);
		} else {
			chat->odd_turns++;
		}
		chat_read_element(chat, line, element);
	}
	chat->odd_calls += turns.not_calls;
	sharegpt_turns_free(&turns);
	buf_free(&text);
	return true;
}

const struct dialect sharegpt_dialect = {
    .name = "sharegpt", .sign = sign, .read_record = read_record, .is_chat = true};
