#include "policy/budget/session_model.h"

#include "json/string.h"

void
session_model_init(struct session_model *named, const struct models *models)
{
	*named = (struct session_model){.models = models, .last = BUF_INIT};
}

void
session_model_note(struct session_model *named, const struct message *message)
{
	struct json_value model;
	struct buf text = BUF_INIT;
	const struct model *found;

	if (named->models == NULL || message->role != ROLE_ASSISTANT)
		return;
	model = message_model(message);
	if (model.type != JSON_STRING || str_eq(json_span(model), buf_str(&named->last)))
		return;
	buf_reset(&named->last);
	buf_add_str(&named->last, json_span(model));
	found = models_find_named(named->models, json_text(model, &text));
	if (found != NULL)
		named->found = found;
	buf_free(&text);
}

void
session_model_find(struct session_model *named, const struct session *session)
{
	struct message message;

	if (named->models == NULL)
		return;
	for (uint32_t i = session->count; i-- > 0 && named->found == NULL;) {
		const struct entry *entry = &session->entry[i];

		if (entry->role != ROLE_ASSISTANT || entry->outside)
			continue;
		entry_parse(entry, &message);
		session_model_note(named, &message);
	}
}

void
session_model_free(struct session_model *named)
{
	buf_free(&named->last);
}
