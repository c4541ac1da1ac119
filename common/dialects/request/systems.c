#include "dialects/request/systems.h"

#include "policy/normalize/mend.h"

static void
take(struct stage *stage, struct record *record)
{
	struct systems *systems = (struct systems *)stage;
	struct message read;
	enum role role;

	if (record->kind != RECORD_MESSAGE || systems->place == SYSTEMS_KEEP) {
		stage_emit(stage, record);
		return;
	}
	role = record_message(record, &read)->role;
	if (!role_is_system(role)) {
		systems->is_midst = true;
		if (systems->place == SYSTEMS_LIFT)
			queue_add(&systems->held, record, FATE_FINAL);
		else
			stage_emit(stage, record);
	} else if (systems->is_midst && systems->place == SYSTEMS_USER) {
		struct record made;

		mend_value(record->line.text, record->message->role_value, STR("\"user\""),
		    &systems->text);
		record_respell(&made, &record->line, buf_str(&systems->text), NULL);
		stage_emit(&systems->stage, &made);
	} else {
		stage_emit(stage, record);
	}
}

static void
end(struct stage *stage)
{
	queue_emit(&((struct systems *)stage)->held, stage);
}

void
systems_init(struct systems *systems, enum systems_place place)
{
	*systems = (struct systems){.stage = {.take = take, .end = end},
	    .place = place,
	    .held = QUEUE_OF(struct queue_item)};
}

void
systems_free(struct systems *systems)
{
	queue_free(&systems->held);
	buf_free(&systems->text);
}
