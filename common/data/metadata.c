#include "data/metadata.h"

#include "json/write.h"

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

static bool
add_members(struct json_edit *edit, const struct message *message,
    const struct metadata_member *list, unsigned count)
{
	struct buf object = BUF_INIT;
	struct json_writer w;
	bool done;

	json_writer_init(&w, &object);
	json_open(&w, '{');
	for (unsigned i = 0; i < count; i++)
		json_member_raw(&w, metadata_name_text(list[i].name), list[i].value);
	json_close(&w);
	done = metadata_add(edit, message, buf_str(&object));
	buf_free(&object);
	return done;
}

/* Whether the value stands in the object itself, and not where instructor says it. */
static bool
stands_in(struct json_value value, struct json_value object)
{
	return value.type != JSON_ABSENT && value.ptr > object.ptr &&
	    value.ptr < object.ptr + object.len;
}

bool
metadata_set(struct json_edit *edit, const struct message *message,
    const struct metadata_member *list, unsigned count)
{
	if (message->metadata.type == JSON_ABSENT)
		return add_members(edit, message, list, count);
	for (unsigned i = 0; i < count; i++) {
		struct json_value said = message->meta[list[i].name];

		if (stands_in(said, message->metadata))
			json_edit_replace(edit, json_span(said), list[i].value);
		else
			json_edit_add(edit, message->metadata, metadata_name_text(list[i].name),
			    list[i].value);
	}
	return true;
}
