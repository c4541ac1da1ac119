#include "policy/conversation.h"

#include <stdlib.h>

#include "base/mem.h"

struct conversation_item {
	enum fate fate; /* whether it is in the view */
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

/* The open record at *candidate, if any, gets its fate. */
static void
decide(struct conversation *conversation, size_t *candidate, enum fate fate)
{
	if (fate == FATE_OPEN || *candidate == CONVERSATION_NONE)
		return;
	conversation->item[*candidate].fate = fate;
	*candidate = CONVERSATION_NONE;
}

static void
hold(struct conversation *conversation, enum fate fate, enum record_kind kind, struct str raw)
{
	size_t cap = conversation->cap;
	struct conversation_item *item;

	if (conversation->count == cap) {
		conversation->cap = mem_grow(cap, cap + 1);
		conversation->item = mem_realloc(conversation->item, conversation->cap,
		    sizeof *conversation->item);
		for (size_t i = cap; i < conversation->cap; i++)
			conversation->item[i].raw = (struct buf)BUF_INIT;
	}
	item = &conversation->item[conversation->count++];
	item->fate = fate;
	item->kind = kind;
	buf_reset(&item->raw);
	buf_add_str(&item->raw, raw);
}

/* What the message makes of those that are held, and whether it is in the view itself. */
static enum fate
judge(struct conversation *conversation, const struct message *message)
{
	struct verdict verdict;

	walk_add(&conversation->walk, message, &verdict);
	decide(conversation, &conversation->answer, verdict.answer);
	decide(conversation, &conversation->error, verdict.error);
	if (verdict.is_answer)
		conversation->answer = conversation->count;
	if (verdict.is_error_message)
		conversation->error = conversation->count;
	if (verdict.is_answer || verdict.is_error_message)
		return FATE_OPEN;
	if (verdict.outside || verdict.is_trace || verdict.group != WALK_NONE)
		return FATE_GONE;
	return verdict.origin == ORIGIN_USER ? FATE_FINAL : FATE_GONE;
}

bool
conversation_add(struct conversation *conversation, const struct message *message, struct str raw,
    bool continued)
{
	enum fate fate = FATE_FINAL;

	if (continued && !is_empty(conversation)) {
		buf_add_str(&conversation->item[conversation->count - 1].raw, raw);
		return false;
	}
	if (is_empty(conversation))
		conversation->next = conversation->count = 0;
	if (message->kind == RECORD_MESSAGE)
		fate = judge(conversation, message);
	if (fate == FATE_GONE)
		return false;
	if (fate == FATE_FINAL && conversation->answer == CONVERSATION_NONE &&
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

		if (item->fate == FATE_OPEN)
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
	enum fate answer, error;

	walk_end(&conversation->walk, &answer, &error);
	decide(conversation, &conversation->answer, answer);
	decide(conversation, &conversation->error, error);
}
