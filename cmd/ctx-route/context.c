#include "context.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/metadata.h"
#include "given.h"
#include "metadata_member.h"

static const struct str names[CONTEXT_MEMBERS] = {
    [CONTEXT_PROMPT] = STR_INIT("system_prompt"),
    [CONTEXT_TOOLS] = STR_INIT("tools"),
    [CONTEXT_FORMAT] = STR_INIT("response_format"),
};

/* Adds a pair. Of pairs with the same key the last one counts, in the place of that one. */
static void
add_pair(struct context *context, const char *argument)
{
	struct assigned_value pair;
	unsigned kept = 0;

	assigned_value_parse(&pair, "context", argument);
	for (unsigned i = 0; i < context->count; i++)
		if (str_eq(context->pair[i].key, pair.key))
			assigned_value_free(&context->pair[i]);
		else
			context->pair[kept++] = context->pair[i];
	context->pair[kept] = pair;
	context->count = kept + 1;
}

void
context_init(struct context *context, const char *const file[CONTEXT_MEMBERS],
    const struct option_list *pair)
{
	static const enum given_type types[CONTEXT_MEMBERS] = {
	    [CONTEXT_PROMPT] = GIVEN_TEXT,
	    [CONTEXT_TOOLS] = GIVEN_OBJECTS,
	    [CONTEXT_FORMAT] = GIVEN_OBJECT,
	};

	*context = (struct context){.is_given = pair->count > 0};
	context->pair = mem_alloc((size_t)pair->count + 1, sizeof *context->pair);
	for (unsigned i = 0; i < pair->count; i++)
		add_pair(context, pair->item[i]);
	for (int i = 0; i < CONTEXT_MEMBERS; i++) {
		if (file[i] == NULL)
			continue;
		given_read(file[i], types[i], &context->member[i]);
		context->is_given = context->is_member[i] = true;
	}
}

void
context_free(struct context *context)
{
	for (unsigned i = 0; i < context->count; i++)
		assigned_value_free(&context->pair[i]);
	free(context->pair);
	for (int i = 0; i < CONTEXT_MEMBERS; i++)
		buf_free(&context->member[i]);
}

/* Appends the object that metadata is, or an empty one, with the pairs put into it. */
static void
put_pairs(const struct context *context, struct json_value metadata, struct buf *buf)
{
	static const char none[JSON_PADDING + 2] = "{}";
	struct json_value object = metadata.type == JSON_OBJECT ? metadata : json_value_at(none);
	struct json_edit edit;

	json_edit_init(&edit, json_span(object));
	for (unsigned i = 0; i < context->count; i++)
		metadata_member_put(
		    &edit, object, context->pair[i].key, buf_str(&context->pair[i].json));
	json_edit_end(&edit, buf);
}

/* Notes the changes of the pairs to the metadata. The text lives in buf. */
static void
change_metadata(const struct context *context, const struct message *message,
    struct json_edit *edit, struct buf *buf)
{
	struct json_value metadata = message->metadata;
	struct str pairs;

	put_pairs(context, metadata, buf);
	pairs = buf_str(buf);
	if (metadata.type == JSON_OBJECT ? str_eq(pairs, json_span(metadata)) :
					   str_eq(pairs, STR("{}")))
		return;
	if (metadata.type == JSON_ABSENT)
		metadata_add(edit, message, pairs);
	else
		json_edit_replace(edit, json_span(metadata), pairs);
}

bool
context_change(
    const struct context *context, const struct message *message, struct str text, struct buf *buf)
{
	struct buf metadata = BUF_INIT;
	struct json_edit edit;
	bool is_changed;

	json_edit_init(&edit, text);
	for (int i = 0; i < CONTEXT_MEMBERS; i++)
		if (context->is_member[i])
			metadata_member_put(
			    &edit, message->value, names[i], buf_str(&context->member[i]));
	change_metadata(context, message, &edit, &metadata);
	is_changed = edit.count > 0;
	if (is_changed)
		json_edit_end(&edit, buf);
	buf_free(&metadata);
	return is_changed;
}
