#include "data/message/metadata.h"

#include <string.h>

bool
metadata_add(struct json_edit *edit, const struct message *message, struct str object)
{
	if (message->home == METADATA_NOWHERE)
		return false;
	if (message->home_free.type != JSON_ABSENT)
		json_edit_replace(
		    edit, json_span(message->home_free), json_edit_keep(edit, object));
	else
		json_edit_add(edit, message->value,
		    message->home == METADATA_PLAIN ? STR("metadata") : STR("_metadata"), object);
	return true;
}

static char *
put(char *to, struct str text)
{
	memcpy(to, text.ptr, text.len);
	return to + text.len;
}

/* The members as an object, in memory of the edit. Their names need no escapes. */
static struct str
object_of(struct json_edit *edit, const struct metadata_member *list, unsigned count)
{
	size_t len = 2;
	char *bytes, *to;

	for (unsigned i = 0; i < count; i++)
		len += metadata_name_text(list[i].name).len + list[i].value.len + 4;
	bytes = to = json_edit_room(edit, len);
	*to++ = '{';
	for (unsigned i = 0; i < count; i++) {
		to = put(to, i > 0 ? STR(",\"") : STR("\""));
		to = put(to, metadata_name_text(list[i].name));
		to = put(to, STR("\":"));
		to = put(to, list[i].value);
	}
	*to++ = '}';
	return str_of(bytes, (size_t)(to - bytes));
}

bool
metadata_set(struct json_edit *edit, const struct message *message,
    const struct metadata_member *list, unsigned count)
{
	if (message->metadata.type == JSON_ABSENT)
		return metadata_add(edit, message, object_of(edit, list, count));
	for (unsigned i = 0; i < count; i++) {
		struct json_value said = message->meta[list[i].name];

		if (said.type != JSON_ABSENT && said.ptr > message->metadata.ptr &&
		    said.ptr < message->metadata.ptr + message->metadata.len)
			json_edit_replace(edit, json_span(said), list[i].value);
		else
			json_edit_add(edit, message->metadata, metadata_name_text(list[i].name),
			    list[i].value);
	}
	return true;
}
