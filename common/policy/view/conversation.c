#include "policy/view/conversation.h"

/* Gives the open record of that number, if there is one, its fate. */
static void
decide(struct conversation *conversation, size_t *candidate, enum fate fate)
{
	if (fate == FATE_OPEN || *candidate == QUEUE_NONE)
		return;
	queue_decide(&conversation->queue, *candidate, fate);
	*candidate = QUEUE_NONE;
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
	queue_emit(&conversation->queue, stage);
	if (verdict.is_answer)
		conversation->answer = conversation->queue.end;
	if (verdict.is_error_message)
		conversation->error = conversation->queue.end;
	queue_pass(&conversation->queue, stage, record, fate);
}

static void
end(struct stage *stage)
{
	struct conversation *conversation = (struct conversation *)stage;
	enum fate answer, error;

	walk_end(&conversation->walk, &answer, &error);
	decide(conversation, &conversation->answer, answer);
	decide(conversation, &conversation->error, error);
	queue_emit(&conversation->queue, stage);
}

void
conversation_init(struct conversation *conversation, const char *agent)
{
	*conversation = (struct conversation){.stage = {.take = take, .end = end},
	    .queue = QUEUE_OF(struct queue_item),
	    .answer = QUEUE_NONE,
	    .error = QUEUE_NONE};
	walk_init(&conversation->walk);
	if (agent != NULL)
		walk_set_agent(&conversation->walk, str_from(agent));
}

void
conversation_free(struct conversation *conversation)
{
	walk_free(&conversation->walk);
	queue_free(&conversation->queue);
}
