#include "dialects/anthropic_write.h"

#include "dialects/media.h"
#include "json/text.h"
#include "json/write.h"

void
anthropic_writer_init(struct anthropic_writer *writer, void (*put)(void *context, struct str text),
    void *context)
{
	*writer = (struct anthropic_writer){.put = put, .context = context, .ids = CALL_IDS_INIT};
}

/* The text of the held message when all of it came as one string. */
static struct str
only_string(const struct anthropic_writer *writer)
{
	const size_t head = sizeof "{\"type\":\"text\",\"text\":" - 1;

	return str_of(writer->blocks.ptr + head, writer->blocks.len - head - 1);
}

static void
write_held(struct anthropic_writer *writer)
{
	struct buf *text = &writer->text;

	buf_reset(text);
	buf_add_str(text, STR("{\"role\":\""));
	buf_add_str(text, role_name(writer->role));
	buf_add_str(text, STR("\",\"content\":"));
	if (writer->is_string) {
		buf_add_str(text, only_string(writer));
	} else {
		buf_add_char(text, '[');
		buf_add_str(text, buf_str(&writer->blocks));
		buf_add_char(text, ']');
	}
	buf_add_char(text, '}');
	writer->put(writer->context, buf_str(text));
}

/* The API wants the user to begin. */
static void
begin_with_user(struct anthropic_writer *writer)
{
	if (writer->started || writer->role == ROLE_SYSTEM)
		return;
	writer->started = true;
	if (writer->role == ROLE_ASSISTANT)
		writer->put(writer->context,
		    STR("{\"role\":\"user\",\"content\":\"[earlier messages are left out]\"}"));
}

static void
flush(struct anthropic_writer *writer)
{
	if (writer->role == ROLE_OTHER || writer->block_count == 0)
		return;
	begin_with_user(writer);
	write_held(writer);
	writer->block_count = 0;
	writer->is_string = false;
	buf_reset(&writer->blocks);
}

/* What is held ends with the first block of another role: a message may have none to write. */
static struct buf *
begin_block(struct anthropic_writer *writer)
{
	if (writer->role != writer->next_role)
		flush(writer);
	writer->role = writer->next_role;
	if (writer->block_count++ > 0)
		buf_add_char(&writer->blocks, ',');
	writer->is_string = false;
	return &writer->blocks;
}

/* A text block of a string; blank ones are refused by the API. */
static bool
add_text(struct anthropic_writer *writer, struct json_value string)
{
	struct buf *to;

	if (string.type != JSON_STRING || json_is_blank(string))
		return false;
	to = begin_block(writer);
	buf_add_str(to, STR("{\"type\":\"text\",\"text\":"));
	buf_add_str(to, json_span(string));
	buf_add_char(to, '}');
	return true;
}

static void
add_raw(struct anthropic_writer *writer, struct json_value block)
{
	buf_add_str(begin_block(writer), json_span(block));
}

/* Thinking goes back as it came, if it is signed. */
static void
add_thinking(struct anthropic_writer *writer, struct json_value part)
{
	struct json_value signature = json_find(part, STR("signature"));

	if (writer->next_role == ROLE_ASSISTANT && signature.type == JSON_STRING && signature.len > 2)
		add_raw(writer, part);
}

static void
add_text_part(struct anthropic_writer *writer, struct json_value part)
{
	struct json_value text = json_find(part, STR("text"));

	if (text.type != JSON_STRING)
		add_text(writer, json_find(part, STR("value")));
	else if (!json_is_blank(text))
		add_raw(writer, part);
}

/* A medium of the other API that this one has no word for is named. */
static void
add_foreign_part(struct anthropic_writer *writer, struct json_value part, struct json_value type)
{
	struct buf *to;
	struct buf *scratch = &writer->scratch;

	buf_reset(scratch);
	if (media_to_anthropic(part, scratch)) {
		buf_add_str(begin_block(writer), buf_str(scratch));
		return;
	}
	to = begin_block(writer);
	buf_add_str(to, STR("{\"type\":\"text\",\"text\":\"["));
	buf_add_str(to, json_inner(type));
	buf_add_str(to, STR("]\"}"));
}

static bool
is_openai_part(struct json_value type)
{
	return json_is(type, STR("image_url")) || json_is(type, STR("file")) ||
	    json_is(type, STR("input_audio"));
}

static void
add_part(struct anthropic_writer *writer, struct json_value part)
{
	struct json_value type = json_find(part, STR("type"));

	if (part.type == JSON_STRING)
		add_text(writer, part);
	else if (json_is(type, STR("text")))
		add_text_part(writer, part);
	else if (json_is(type, STR("refusal")))
		add_text(writer, json_find(part, STR("refusal")));
	else if (json_is(type, STR("thinking")))
		add_thinking(writer, part);
	else if (is_openai_part(type))
		add_foreign_part(writer, part, type);
	else if (type.type == JSON_STRING)
		add_raw(writer, part);
}

static void
add_content(struct anthropic_writer *writer, struct json_value content)
{
	bool alone = writer->block_count == 0 || writer->role != writer->next_role;
	struct json_walk walk;

	if (content.type == JSON_STRING) {
		if (add_text(writer, content))
			writer->is_string = alone;
		return;
	}
	json_walk_open(&walk, content);
	while (content.type == JSON_ARRAY && json_walk_next(&walk))
		add_part(writer, walk.value);
}

/* JSON text without the line feeds between its tokens; none can be inside a string. */
static void
add_unfolded(struct buf *to, struct str json)
{
	char *start = buf_reserve(to, json.len);

	memcpy(start, json.ptr, json.len);
	for (size_t i = 0; i < json.len; i++)
		if (start[i] == '\n' || start[i] == '\r')
			start[i] = ' ';
	to->len += json.len;
}

/* The input of a call is an object; arguments that are none are wrapped into one. */
static void
add_input(struct anthropic_writer *writer, struct json_value arguments)
{
	struct buf *to = &writer->blocks;
	struct buf *scratch = &writer->scratch;
	struct json_scan scan;

	if (arguments.type == JSON_OBJECT) {
		buf_add_str(to, json_span(arguments));
		return;
	}
	if (arguments.type == JSON_ABSENT || json_is_blank(arguments)) {
		buf_add_str(to, STR("{}"));
		return;
	}
	buf_reset(scratch);
	if (arguments.type == JSON_STRING)
		json_decode(arguments, scratch);
	buf_pad(scratch);
	if (scratch->len > 0 && json_scan(buf_str(scratch), NULL, &scan) &&
	    scan.value.type == JSON_OBJECT) {
		add_unfolded(to, json_span(scan.value));
		return;
	}
	buf_add_str(to, STR("{\"arguments\":"));
	buf_add_str(to, json_span(arguments));
	buf_add_char(to, '}');
}

static void
copy_member(struct buf *to, struct json_value object, struct str name)
{
	struct json_value value = json_find(object, name);

	if (value.type == JSON_ABSENT)
		return;
	buf_add_str(to, STR(",\""));
	buf_add_str(to, name);
	buf_add_str(to, STR("\":"));
	buf_add_str(to, json_span(value));
}

static void
add_call(struct anthropic_writer *writer, const struct tool_call *call)
{
	struct buf *to = begin_block(writer);

	buf_add_str(to, STR("{\"type\":\"tool_use\",\"id\":\""));
	call_ids_call(&writer->ids, call->id, to);
	buf_add_str(to, STR("\",\"name\":"));
	buf_add_str(to, call->name.type == JSON_STRING ? json_span(call->name) : STR("\"tool\""));
	buf_add_str(to, STR(",\"input\":"));
	add_input(writer, call->arguments);
	copy_member(to, call->value, STR("caller"));
	copy_member(to, call->value, STR("cache_control"));
	buf_add_char(to, '}');
}

static void
add_calls(struct anthropic_writer *writer, const struct message *message)
{
	struct call_walk walk;
	struct tool_call call;

	if (!message_has_calls(message))
		return;
	call_ids_begin(&writer->ids);
	call_walk_open(&walk, message);
	while (call_walk_next(&walk, &call))
		add_call(writer, &call);
}

/* The content of a result: a string as it is, parts as blocks. */
static void
add_result_content(struct anthropic_writer *writer, struct json_value content)
{
	unsigned count = writer->block_count;
	size_t start = writer->blocks.len;

	if (content.type == JSON_STRING && content.len > 2) {
		buf_add_str(&writer->blocks, STR(",\"content\":"));
		buf_add_str(&writer->blocks, json_span(content));
		return;
	}
	if (content.type != JSON_ARRAY)
		return;
	buf_add_str(&writer->blocks, STR(",\"content\":["));
	writer->block_count = 0;
	add_content(writer, content);
	if (writer->block_count == 0)
		writer->blocks.len = start;
	else
		buf_add_char(&writer->blocks, ']');
	writer->block_count = count;
}

/* A result that answers no call of the message before stays as text. */
static void
add_result(struct anthropic_writer *writer, const struct message *message)
{
	struct buf id = BUF_INIT;
	struct buf *to;

	writer->next_role = ROLE_USER;
	if (!call_ids_result(&writer->ids, message->tool_call_id, &id)) {
		add_content(writer, message->content);
		writer->is_string = false;
		buf_free(&id);
		return;
	}
	to = begin_block(writer);
	buf_add_str(to, STR("{\"type\":\"tool_result\",\"tool_use_id\":\""));
	buf_add_str(to, buf_str(&id));
	buf_add_char(to, '"');
	add_result_content(writer, message->content);
	if (message_is(message, METADATA_IS_ERROR))
		buf_add_str(to, STR(",\"is_error\":true"));
	copy_member(to, message->value, STR("cache_control"));
	buf_add_char(to, '}');
	buf_free(&id);
}

bool
anthropic_write(struct anthropic_writer *writer, const struct message *message)
{
	switch (message->role) {
	case ROLE_OTHER:
		return false;
	case ROLE_TOOL:
		add_result(writer, message);
		return true;
	case ROLE_DEVELOPER:
		writer->next_role = ROLE_SYSTEM;
		break;
	default:
		writer->next_role = message->role;
	}
	add_content(writer, message->content);
	if (message->role == ROLE_ASSISTANT && message->content.type != JSON_STRING)
		add_text(writer, json_find(message->value, STR("refusal")));
	add_calls(writer, message);
	return true;
}

void
anthropic_writer_finish(struct anthropic_writer *writer)
{
	flush(writer);
	call_ids_free(&writer->ids);
	buf_free(&writer->blocks);
	buf_free(&writer->text);
	buf_free(&writer->scratch);
}
