#include "policy/isolate/thinking.h"

#include "data/message/content.h"
#include "data/message/part.h"
#include "json/edit.h"

#define REASONING "reasoning_content"

static const struct change_rule removed = {
    STR_INIT("thinking"), STR_INIT("drop"), STR_INIT("old thinking"), STR_INIT("")};

static bool
is_thinking(struct json_value value)
{
	struct part part;

	part_read(value, &part);
	return part_is_thinking(&part);
}

bool
thinking_is_in(const struct message *message)
{
	if (message->reasoning.type == JSON_STRING)
		return true;
	for (struct json_walk parts = json_walk_list(message->content); json_walk_next(&parts);)
		if (is_thinking(parts.value))
			return true;
	return false;
}

/* Takes the span from one place to another out of the text. */
static void
remove_span(struct json_edit *edit, const char *from, const char *to)
{
	json_edit_replace(edit, str_of(from, (size_t)(to - from)), STR(""));
}

/* Takes the thinking out of the content, each with the comma before it; a leading part with the
 * comma after it. */
static void
remove_parts(struct json_value content, struct json_edit *edit)
{
	const char *first = NULL, *end = NULL; /* of what leads the content; of the part before */
	bool is_kept = false;

	for (struct json_walk parts = json_walk_list(content); json_walk_next(&parts);) {
		bool goes = is_thinking(parts.value);

		if (goes && is_kept)
			remove_span(edit, end, parts.value.ptr + parts.value.len);
		else if (goes && first == NULL)
			first = parts.value.ptr;
		else if (!goes && !is_kept && first != NULL)
			remove_span(edit, first, parts.value.ptr);
		is_kept = is_kept || !goes;
		end = parts.value.ptr + parts.value.len;
	}
	if (!is_kept && first != NULL)
		json_edit_replace(edit, json_span(content), STR("null"));
}

void
thinking_remove(struct session *t, uint32_t index, struct estimator *estimator)
{
	const struct entry *entry = &t->entry[index];
	uint32_t mark = change_mark(t);
	struct buf text = BUF_INIT;
	struct message message;
	struct json_edit edit;

	entry_parse(entry, &message);
	if (!entry->has_calls && message_is_blank(&message)) {
		change_drop(t, index, &removed);
		return;
	}
	json_edit_init(&edit, entry_text(entry));
	remove_parts(message.content, &edit);
	if (message.reasoning.type == JSON_STRING)
		json_edit_remove_all(&edit, message.value, STR(REASONING));
	json_edit_write(&edit, &text);
	change_text(t, index, &removed, buf_str(&text));
	weigh_settle(t, mark, estimator);
	json_edit_free(&edit);
	buf_free(&text);
}
