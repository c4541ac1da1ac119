#include "policy/conversation.h"

#include <stdlib.h>

#include "base/mem.h"

enum fate { FATE_SURE, FATE_ANSWER, FATE_ERROR, FATE_GONE };

struct conversation_item {
	enum fate fate;
	enum record_kind kind;
	struct buf raw;
};

void
conversation_init(struct conversation *conversation)
{
	*conversation = (struct conversation){.answer = CONVERSATION_NONE,
	    .error = CONVERSATION_NONE};
	walk_init(&conversation->walk);
}

void
conversation_free(struct conversation *conversation)
{
	walk_free(&conversation->walk);
	for (size_t i = 0; i < conversation->cap; i++)
		buf_free(&conversation->item[i].raw);
	free(conversation->item);
}

static bool
is_empty(const struct conversation *conversation)
{
	return conversation->next == conversation->count;
}

/* The uncertain record at *place, if any, gets its fate. */
static void
decide(struct conversation *conversation, size_t *place, enum fate fate)
{
	if (*place != CONVERSATION_NONE)
		conversation->item[*place].fate = fate;
	*place = CONVERSATION_NONE;
}

/* The execution ends here: its answer is final; without one an error stands for it if it is over. */
static void
settle(struct conversation *conversation, bool is_over)
{
	bool answered = conversation->answer != CONVERSATION_NONE;

	decide(conversation, &conversation->error, answered || !is_over ? FATE_GONE : FATE_SURE);
	decide(conversation, &conversation->answer, FATE_SURE);
}

static void
hold(struct conversation *conversation, enum fate fate, enum record_kind kind, struct str raw)
{
	size_t cap = conversation->cap;
	struct conversation_item *item;

	if (is_empty(conversation))
		conversation->next = conversation->count = 0;
	if (conversation->count == cap) {
		conversation->cap = mem_grow(cap, cap + 1);
		conversation->item = mem_realloc(conversation->item, conversation->cap,
		    sizeof *conversation->item);
		for (size_t i = cap; i < conversation->cap; i++)
			conversation->item[i].raw = (struct buf)BUF_INIT;
	}
	if (fate == FATE_ANSWER)
		conversation->answer = conversation->count;
	if (fate == FATE_ERROR)
		conversation->error = conversation->count;
	item = &conversation->item[conversation->count++];
	item->fate = fate;
	item->kind = kind;
	buf_reset(&item->raw);
	buf_add_str(&item->raw, raw);
}

/* Whether a message could become the final response, or the error that stands for it. */
static enum fate
fate_of(const struct message *message, const struct place *place)
{
	if (place->outside || place->is_trace || place->group != WALK_NONE)
		return FATE_GONE;
	if (place->origin == ORIGIN_USER)
		return FATE_SURE;
	if (message_is_artifact(message))
		return FATE_GONE;
	if (place->origin == ORIGIN_ERROR)
		return message->role != ROLE_TOOL ? FATE_ERROR : FATE_GONE;
	if (message->role != ROLE_ASSISTANT || message_is_blank(message))
		return FATE_GONE;
	return FATE_ANSWER;
}

bool
conversation_add(struct conversation *conversation, const struct message *message, struct str raw,
    bool continued)
{
	struct place place = {.outside = true};
	enum fate fate = FATE_SURE;

	if (continued && !is_empty(conversation)) {
		buf_add_str(&conversation->item[conversation->count - 1].raw, raw);
		return false;
	}

	if (message->kind == RECORD_MESSAGE) {
		walk_add(&conversation->walk, message, &place);
		fate = fate_of(message, &place);
	}
	if (place.execution_began)
		settle(conversation, true);
	if (!place.outside && !place.is_late && (place.is_trace || fate == FATE_ANSWER))
		decide(conversation, &conversation->answer, FATE_GONE);
	if (fate == FATE_ERROR)
		decide(conversation, &conversation->error, FATE_GONE);
	if (fate == FATE_GONE)
		return false;
	if (fate == FATE_SURE && conversation->answer == CONVERSATION_NONE &&
	    conversation->error == CONVERSATION_NONE)
		return true;
	hold(conversation, fate, message->kind, raw);
	return false;
}

bool
conversation_next(struct conversation *conversation, enum record_kind *kind, struct str *raw)
{
	while (!is_empty(conversation)) {
		const struct conversation_item *item = &conversation->item[conversation->next];

		if (item->fate == FATE_ANSWER || item->fate == FATE_ERROR)
			return false;
		conversation->next++;
		if (item->fate == FATE_GONE)
			continue;
		*kind = item->kind;
		*raw = buf_str(&item->raw);
		return true;
	}
	return false;
}

void
conversation_end(struct conversation *conversation)
{
	settle(conversation, false);
}
