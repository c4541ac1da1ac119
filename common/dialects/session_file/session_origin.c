#include "dialects/session_file/session_origin.h"

/* Sets the name to the one that is said, or leaves the last. */
static struct str
set_name(struct buf *name, struct json_value said)
{
	if (said.type == JSON_STRING)
		buf_set(name, json_span(said));
	else if (name->len == 0)
		buf_set(name, STR("\"unknown\""));
	return buf_str(name);
}

void
session_origin_read(struct session_origin *origin, const struct session_form *form,
    const struct message *message, struct str *value)
{
	struct json_value extra = json_find(message->metadata, str_from(form->extra));
	struct json_value model = message_model(message), asked = json_find(extra, STR("model"));
	struct json_value provider = json_find(extra, STR("provider"));

	if (provider.type != JSON_STRING)
		provider = json_find(asked.type == JSON_OBJECT ? asked : extra, STR("providerID"));
	if (model.type != JSON_STRING)
		model = json_find(asked, STR("modelID"));
	value[SESSION_model] = set_name(&origin->model, model);
	value[SESSION_provider] = set_name(&origin->provider, provider);
	value[SESSION_api] = set_name(&origin->api, json_find(extra, STR("api")));
}

void
session_origin_free(struct session_origin *origin)
{
	buf_free(&origin->model);
	buf_free(&origin->provider);
	buf_free(&origin->api);
}
