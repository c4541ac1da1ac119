#include "dialects/request/lone_request.h"

static void
part(struct lone_request *parting)
{
	const struct stage *end = parting->last->next;

	parting->has_parted = true;
	for (struct stage *stage = parting->stage.next; stage != end; stage = stage->next)
		if (!fault_is_set(parting->stage.fault))
			stage->end(stage);
	parting->renew(parting->owner);
}

static void
take(struct stage *stage, struct record *record)
{
	struct lone_request *parting = (struct lone_request *)stage;
	struct message read;

	if ((record->kind == RECORD_MESSAGE || record->kind == RECORD_CONTEXT) &&
	    stream_session_parts(&parting->session, record, record_message(record, &read)))
		part(parting);
	if (!fault_is_set(stage->fault))
		stage_emit(stage, record);
}

void
lone_request_init(struct lone_request *parting)
{
	*parting = (struct lone_request){.stage = {.take = take, .end = stage_pass_end}};
}
