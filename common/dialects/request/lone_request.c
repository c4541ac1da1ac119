#include "dialects/request/lone_request.h"

#include "data/line_id.h"

static bool
is_none(struct hash hash)
{
	return hash.a == 0 && hash.b == 0;
}

/* Whether the message, or context record, is of another session than the one before. */
static bool
differs(struct lone_request *parting, const struct message *message)
{
	bool was_none = is_none(parting->session);

	return line_id_differs(message, &parting->session) ||
	    (was_none && !is_none(parting->session));
}

static void
part(struct lone_request *parting)
{
	const struct stage *end = parting->last->next;

	parting->has_parted = true;
	for (struct stage *stage = parting->stage.next; stage != end; stage = stage->next)
		if (!fault_is_set(parting->stage.fault))
			stage->end(stage);
	parting->renew(parting->owner);
	parting->has_begun = false;
}

static void
take(struct stage *stage, struct record *record)
{
	struct lone_request *parting = (struct lone_request *)stage;
	struct message read;

	if (record->kind == RECORD_MESSAGE || record->kind == RECORD_CONTEXT) {
		if (differs(parting, record_message(record, &read)) && parting->has_begun)
			part(parting);
		parting->has_begun = true;
	}
	if (!fault_is_set(stage->fault))
		stage_emit(stage, record);
}

void
lone_request_init(struct lone_request *parting)
{
	*parting = (struct lone_request){.stage = {.take = take, .end = stage_pass_end}};
}
