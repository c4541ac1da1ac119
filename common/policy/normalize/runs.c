#include "policy/normalize/runs.h"

#include "json/text.h"

static void
begin(struct runs *runs, struct str id)
{
	buf_reset(&runs->id);
	buf_add_str(&runs->id, id);
	runs->count++;
	runs->due = 0;
	runs->has_final = false;
}

void
runs_add(struct runs *runs, const struct message *message, const struct place *place)
{
	struct json_value id = message->meta[METADATA_EXECUTION_ID];
	struct json_value kind = message->meta[METADATA_KIND];
	bool is_result = message->role == ROLE_TOOL;

	if (id.type == JSON_STRING) {
		struct str text = json_text(id, &runs->scratch);

		if (runs->id.len == 0 || !str_eq(text, buf_str(&runs->id)))
			begin(runs, text);
	} else if (place->origin == ORIGIN_USER && !is_result &&
	    (runs->due > 0 || !runs->after_result)) {
		begin(runs, STR(""));
	}
	runs->after_result = false;
	if (json_is(kind, STR("summary")) || json_is(kind, STR("trace")))
		return;
	if (place->is_trace || is_result)
		runs->has_final = false;
	else if (message->role == ROLE_ASSISTANT && !place->has_calls && !message_is_blank(message))
		runs->has_final = true;
}

void
runs_free(struct runs *runs)
{
	buf_free(&runs->id);
	buf_free(&runs->scratch);
}
