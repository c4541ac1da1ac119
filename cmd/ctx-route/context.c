#include "context.h"

#include "data/metadata.h"
#include "document.h"
#include "json/write.h"
#include "member.h"

void
context_init(struct context *context, const char *system_prompt, const char *response_format,
    const struct option_list *pair)
{
	*context = (struct context){.pair = pair};
	context->is_given = system_prompt != NULL || response_format != NULL || pair->count > 0;
	for (unsigned i = 0; i < pair->count; i++)
		if (strchr(pair->item[i], '=') == NULL || pair->item[i][0] == '=')
			options_fail(
			    "bad value '%s' of --context, expected KEY=VALUE", pair->item[i]);
	if (system_prompt != NULL)
		document_read_text(system_prompt, &context->system_prompt);
	if (response_format != NULL)
		document_read_object(response_format, &context->response_format);
}

void
context_free(struct context *context)
{
	buf_free(&context->system_prompt);
	buf_free(&context->response_format);
}

static struct str
key_of(const char *pair)
{
	return str_of(pair, (size_t)(strchr(pair, '=') - pair));
}

static struct str
value_of(const char *pair)
{
	return str_from(strchr(pair, '=') + 1);
}

/* Whether a later pair has the same key: of such pairs the last one counts. */
static bool
is_repeated(const struct option_list *pair, unsigned index)
{
	for (unsigned i = index + 1; i < pair->count; i++)
		if (str_eq(key_of(pair->item[i]), key_of(pair->item[index])))
			return true;
	return false;
}

static void
write_pairs(const struct option_list *pair, struct buf *buf)
{
	struct json_writer w;

	json_writer_init(&w, buf);
	json_open(&w, '{');
	for (unsigned i = 0; i < pair->count; i++)
		if (!is_repeated(pair, i))
			json_member_string(&w, key_of(pair->item[i]), value_of(pair->item[i]));
	json_close(&w);
}

void
context_write(struct context *context, struct buf *buf)
{
	struct json_writer w;

	json_writer_init(&w, buf);
	json_open(&w, '{');
	json_member_string(&w, STR("type"), STR("context"));
	if (context->system_prompt.len > 0)
		json_member_raw(&w, STR("system_prompt"), buf_str(&context->system_prompt));
	if (context->response_format.len > 0)
		json_member_raw(&w, STR("response_format"), buf_str(&context->response_format));
	if (context->pair->count > 0) {
		json_name(&w, STR("metadata"));
		write_pairs(context->pair, buf);
	}
	json_close(&w);
}

/* Returns the metadata object with the pairs put into it. */
static struct str
merge_pairs(struct context *context, struct json_value metadata, struct buf *buf)
{
	const struct option_list *pair = context->pair;
	struct json_edit edit;

	if (metadata.type != JSON_OBJECT) {
		write_pairs(pair, buf);
		return buf_str(buf);
	}
	json_edit_init(&edit, json_span(metadata));
	for (unsigned i = 0; i < pair->count; i++) {
		struct buf value = BUF_INIT;

		if (is_repeated(pair, i))
			continue;
		json_write_string(&value, value_of(pair->item[i]));
		member_set(
		    &edit, metadata, key_of(pair->item[i]), json_edit_keep(&edit, buf_str(&value)));
		buf_free(&value);
	}
	json_edit_write(&edit, buf);
	json_edit_free(&edit);
	return buf_str(buf);
}

bool
context_merge(
    struct context *context, const struct message *message, struct str text, struct buf *buf)
{
	struct buf metadata = BUF_INIT;
	struct json_edit edit;
	bool is_changed;

	json_edit_init(&edit, text);
	if (context->system_prompt.len > 0)
		member_set(
		    &edit, message->value, STR("system_prompt"), buf_str(&context->system_prompt));
	if (context->response_format.len > 0)
		member_set(&edit, message->value, STR("response_format"),
		    buf_str(&context->response_format));
	if (context->pair->count > 0) {
		struct str pairs = merge_pairs(context, message->metadata, &metadata);

		if (message->metadata.type == JSON_ABSENT)
			metadata_add(&edit, message, pairs);
		else if (!str_eq(pairs, json_span(message->metadata)))
			json_edit_replace(&edit, json_span(message->metadata), pairs);
	}
	is_changed = edit.count > 0;
	if (is_changed)
		json_edit_write(&edit, buf);
	json_edit_free(&edit);
	buf_free(&metadata);
	return is_changed;
}
