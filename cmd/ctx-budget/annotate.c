#include "annotate.h"

#include "json/edit.h"
#include "json/string.h"

static void
edit_metadata(struct json_edit *edit, const struct message *message, struct str number,
    struct arena *arena)
{
	struct json_value old = json_find(message->metadata, STR("tokens"));
	struct buf object = BUF_INIT;

	buf_add_fmt(&object, "{\"tokens\":%.*s}", STR_ARG(number));
	if (message->metadata.type == JSON_ABSENT)
		json_edit_add(edit, message->value, STR("metadata"), buf_str(&object), arena);
	else if (message->metadata.type != JSON_OBJECT)
		json_edit_replace(edit, json_span(message->metadata),
		    arena_copy(arena, buf_str(&object)));
	else if (old.type == JSON_ABSENT)
		json_edit_add(edit, message->metadata, STR("tokens"), number, arena);
	else
		json_edit_replace(edit, json_span(old), number);
	buf_free(&object);
}

bool
annotate(const struct message *message, struct str text, uint64_t tokens, struct buf *out)
{
	struct arena arena = ARENA_INIT;
	struct buf number = BUF_INIT;
	struct json_edit edit;

	if (message->metadata.type == JSON_OBJECT &&
	    json_integer(json_find(message->metadata, STR("tokens")), -1) == (int64_t)tokens)
		return false;
	buf_add_fmt(&number, "%ju", (uintmax_t)tokens);
	json_edit_init(&edit, text);
	edit_metadata(&edit, message, buf_str(&number), &arena);
	buf_reset(out);
	json_edit_write(&edit, out);
	buf_free(&number);
	arena_free(&arena);
	return true;
}
