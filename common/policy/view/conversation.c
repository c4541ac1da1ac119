#include "policy/view/conversation.h"

#include <stdlib.h>

#include "base/list.h"

struct conversation_item {
	enum fate fate; /* whether the record is in the view */
	struct record record;
};

/* Gives the open record at *candidate, if there is one, its fate. */
static void
decide(struct conversation *conversation, size_t *candidate, enum fate fate)
{
	if (fate == FATE_OPEN || *candidate == CONVERSATION_NONE)
		return;
	conversation->item[*candidate].fate = fate;
	*candidate = CONVERSATION_NONE;
}

/* Emits the records at the front of the queue whose fate is certain. */
static void
release(struct conversation *conversation)
{
	while (conversation->next < conversation->count) {
		struct conversation_item *item = &conversation->item[conversation->next];

		if (item->fate == FATE_OPEN)
			return;
		if (item->fate == FATE_FINAL)
			stage_emit_held(&conversation->stage, &item->record);
		record_release(&item->record);
		conversation->next++;
	}
	conversation->next = conversation->count = 0;
}

static void
hold(struct conversation *conversation, enum fate fate, const struct record *record)
{
	struct conversation_item *item;

	LIST_ROOM(conversation->item, conversation->count, conversation->cap);
	item = &conversation->item[conversation->count++];
	item->fate = fate;
	record_hold(&item->record, record);
}

/* Whether a message that is no candidate is in the view. */
static enum fate
fate_of(const struct verdict *verdict)
{
	if (verdict->is_answer || verdict->is_error_message)
		return FATE_OPEN;
	if (verdict->outside || verdict->is_trace || verdict->group != WALK_NONE)
		return FATE_GONE;
	return verdict->origin == ORIGIN_USER ? FATE_FINAL : FATE_GONE;
}

static void
take(struct stage *stage, struct record *record)
{
	struct conversation *conversation = (struct conversation *)stage;
	struct verdict verdict = {.answer = FATE_OPEN};
	struct message read;
	enum fate fate = FATE_FINAL;

	if (record->kind == RECORD_MESSAGE) {
		walk_add(&conversation->walk, record_message(record, &read), &verdict);
		fate = fate_of(&verdict);
	}
	decide(conversation, &conversation->answer, verdict.answer);
	decide(conversation, &conversation->error, verdict.error);
	release(conversation);
	if (verdict.is_answer)
		conversation->answer = conversation->count;
	if (verdict.is_error_message)
		conversation->error = conversation->count;
	if (fate == FATE_FINAL && conversation->count == 0)
		stage_emit(stage, record);
	else if (fate != FATE_GONE)
		hold(conversation, fate, record);
}

static void
end(struct stage *stage)
{
	struct conversation *conversation = (struct conversation *)stage;
	enum fate answer, error;

	walk_end(&conversation->walk, &answer, &error);
	decide(conversation, &conversation->answer, answer);
	decide(conversation, &conversation->error, error);
	release(conversation);
}

void
conversation_init(struct conversation *conversation, const char *agent)
{
	*conversation = (struct conversation){.stage = {.take = take, .end = end},
	    .answer = CONVERSATION_NONE,
	    .error = CONVERSATION_NONE};
	walk_init(&conversation->walk);
	if (agent != NULL)
		walk_set_agent(&conversation->walk, str_from(agent));
}

void
conversation_free(struct conversation *conversation)
{
	walk_free(&conversation->walk);
	for (size_t i = conversation->next; i < conversation->count; i++)
		record_release(&conversation->item[i].record);
	free(conversation->item);
}
