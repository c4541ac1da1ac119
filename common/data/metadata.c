#include "data/metadata.h"

/* A metadata object of that one member. */
static struct str
new_object(struct json_edit *edit, struct str name, struct str value)
{
	struct buf object = BUF_INIT;
	struct str text;

	buf_add_fmt(&object, "{\"%.*s\":", STR_ARG(name));
	buf_add_str(&object, value);
	buf_add_char(&object, '}');
	text = json_edit_keep(edit, buf_str(&object));
	buf_free(&object);
	return text;
}

void
metadata_set(struct json_edit *edit, const struct message *message, enum metadata_name name,
    struct str value)
{
	struct str text = metadata_name_text(name);

	if (message->metadata.type == JSON_ABSENT)
		json_edit_add(edit, message->value, STR("metadata"), new_object(edit, text, value));
	else if (message->metadata.type != JSON_OBJECT)
		json_edit_replace(edit, json_span(message->metadata), new_object(edit, text, value));
	else if (message->meta[name].type != JSON_ABSENT)
		json_edit_replace(edit, json_span(message->meta[name]), value);
	else
		json_edit_add(edit, message->metadata, text, value);
}
