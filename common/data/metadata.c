#include "data/metadata.h"

/* A metadata object of that one member. */
static struct str
new_object(struct str name, struct str value, struct arena *arena)
{
	struct buf object = BUF_INIT;
	struct str text;

	buf_add_fmt(&object, "{\"%.*s\":", STR_ARG(name));
	buf_add_str(&object, value);
	buf_add_char(&object, '}');
	text = arena_copy(arena, buf_str(&object));
	buf_free(&object);
	return text;
}

bool
metadata_set(struct json_edit *edit, const struct message *message, enum metadata_name name,
    struct str value, struct arena *arena)
{
	struct str text = metadata_name_text(name);

	if (message->metadata.type == JSON_ABSENT)
		return json_edit_add(edit, message->value, STR("metadata"),
		    new_object(text, value, arena), arena);
	if (message->metadata.type != JSON_OBJECT)
		return json_edit_replace(edit, json_span(message->metadata),
		    new_object(text, value, arena));
	if (message->meta[name].type != JSON_ABSENT)
		return json_edit_replace(edit, json_span(message->meta[name]), value);
	return json_edit_add(edit, message->metadata, text, value, arena);
}
