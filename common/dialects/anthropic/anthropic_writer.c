#include "dialects/anthropic/anthropic_writer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/anthropic/anthropic_rules.h"
#include "dialects/parts/call_ids.h"
#include "dialects/parts/call_input.h"
#include "dialects/draft/draft.h"
#include "dialects/parts/media.h"
#include "dialects/parts/name.h"
#include "dialects/parts/text_part.h"
#include "json/string.h"
#include "json/write.h"

struct writer {
	struct dialect_stage base;
	uint64_t taken;      /* messages of the input */
	uint64_t written;    /* messages */
	struct line line;    /* the last line that added to the output */
	enum role role;      /* of the held message */
	enum role next_role; /* of the message that is being added */
	enum role part_role; /* the same, but ROLE_TOOL in the content of a result */
	struct buf blocks;   /* content of the held message, with commas between */
	unsigned block_count;
	size_t last_block; /* where the last block starts in blocks */
	bool is_string;    /* the content is one block that came as a string */
	bool started;      /* a message of another role than system was written */
	bool has_said;     /* the message that is being added has added a block */
	struct call_ids ids;
	struct buf text;
	struct buf scratch;
	struct buf content; /* of a result, when that is put together */
};

/* Emits the text as a message. */
static void
put(struct writer *writer)
{
	struct record record;

	writer->written++;
	buf_add_char(&writer->text, '\n');
	buf_pad(&writer->text);
	record_respell(&record, &writer->line, buf_str(&writer->text), NULL);
	stage_emit(&writer->base.stage, &record);
}

static void
write_held(struct writer *writer)
{
	struct str blocks = buf_str(&writer->blocks);
	struct json_writer w;

	buf_reset(&writer->text);
	json_begin(&w, &writer->text, '{');
	json_member_string(&w, STR("role"), role_name(writer->role));
	json_name(&w, STR("content"));
	if (writer->is_string) {
		json_put_raw(&w, text_part_string(blocks));
	} else {
		json_open(&w, '[');
		json_put_raw(&w, blocks);
		json_close(&w);
	}
	json_close(&w);
	put(writer);
}

/* Whether the held message would be the first, and is the assistant's. */
static bool
lacks_user(const struct writer *writer)
{
	return !writer->started && writer->role == ROLE_ASSISTANT && writer->block_count > 0;
}

/* The API requires the user to begin, so a user message is put before a leading assistant
 * message. */
static void
begin_with_user(struct writer *writer)
{
	bool lacks = lacks_user(writer);

	writer->started |= writer->role != ROLE_SYSTEM;
	if (!lacks)
		return;
	buf_reset(&writer->text);
	buf_add_str(&writer->text,
	    STR("{\"role\":\"user\",\"content\":\"[earlier messages are left out]\"}"));
	put(writer);
}

static void
flush(struct writer *writer)
{
	if (writer->role == ROLE_OTHER || writer->block_count == 0)
		return;
	begin_with_user(writer);
	write_held(writer);
	writer->block_count = 0;
	writer->is_string = false;
	buf_reset(&writer->blocks);
}

/* The held message is complete only when a block of another role is written: a message of another
 * role may have no blocks. */
static struct buf *
begin_block(struct writer *writer)
{
	if (writer->role != writer->next_role)
		flush(writer);
	writer->role = writer->next_role;
	if (writer->block_count++ > 0)
		buf_add_char(&writer->blocks, ',');
	writer->last_block = writer->blocks.len;
	writer->is_string = false;
	writer->has_said = true;
	return &writer->blocks;
}

/* Adds a text block for a string. A blank string is left out: the API refuses blank text. */
static bool
add_text(struct writer *writer, struct json_value string)
{
	if (string.type != JSON_STRING || json_is_blank(string))
		return false;
	text_part_add(begin_block(writer), string);
	return true;
}

/* Returns a JSON string, in scratch, that holds the JSON text of the value. */
static struct json_value
json_as_string(struct writer *writer, struct json_value value)
{
	buf_reset(&writer->scratch);
	json_write_string(&writer->scratch, json_span(value));
	return json_written(&writer->scratch, 0);
}

/* Appends the part as an image or document, if it is one and the role may send one. */
static bool
write_medium(struct json_value value, enum role role, struct buf *buf)
{
	size_t start = buf->len;

	if (!media_to_anthropic(value, buf))
		return false;
	if (anthropic_rules_refuse_block(json_written(buf, start), role) == 0)
		return true;
	buf->len = start;
	return false;
}

static void
write_refused(struct json_value value, enum role role, struct buf *buf, struct tally *dropped)
{
	struct json_value text;
	struct part part;

	part_read(value, &part);
	if (part_is_thinking(&part)) {
		text_part_drop(&part, dropped);
		return;
	}
	text = text_part_find(&part);
	if (write_medium(value, role, buf))
		return;
	if (text.type != JSON_STRING || part_is_media(&part))
		text_part_add_name(buf, &part, dropped);
	else if (!json_is_blank(text))
		text_part_add(buf, text);
}

/* Appends the part as the API takes it in a message of the role; ROLE_TOOL: in a result. The part
 * is written as it is, or without members that the API does not know. A part that the API refuses
 * becomes an image or a document of the API, its text, or a text that names its type. Blank text
 * and unsigned thinking are dropped. */
static void
write_part(struct json_value value, enum role role, struct buf *buf, struct tally *dropped)
{
	uint64_t refused = anthropic_rules_refuse_block(value, role);
	struct json_value text = text_part_only(value);

	/* A plain text is written as it would be after reading it again. */
	if (refused == 0 && text.type == JSON_STRING)
		text_part_add(buf, text);
	else if (refused == 0)
		buf_add_str(buf, json_span(value));
	else if (refused == refusals_bit(VIOLATION_UNKNOWN_MEMBER))
		anthropic_rules_write_block(value, buf);
	else
		write_refused(value, role, buf, dropped);
}

static void
add_content(struct writer *writer, struct json_value content)
{
	bool alone = writer->block_count == 0 || writer->role != writer->next_role;

	if (content.type == JSON_STRING) {
		if (add_text(writer, content))
			writer->is_string = alone;
		return;
	}
	if (content.type > JSON_NULL && content.type != JSON_ARRAY) {
		add_text(writer, json_as_string(writer, content));
		return;
	}
	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk);) {
		buf_reset(&writer->scratch);
		write_part(walk.value, writer->part_role, &writer->scratch, writer->base.dropped);
		if (writer->scratch.len > 0)
			buf_add_str(begin_block(writer), buf_str(&writer->scratch));
	}
}

static void
add_calls(struct writer *writer, const struct message *message)
{
	struct tool_call call;

	if (!message_has_calls(message))
		return;
	call_ids_begin(&writer->ids);
	for (struct call_walk walk = call_walk_of(message); call_walk_next(&walk, &call);) {
		struct buf *to = begin_block(writer);

		buf_add_str(to, STR("{\"type\":\"tool_use\",\"id\":\""));
		call_ids_call(&writer->ids, call.id, to);
		buf_add_str(to, STR("\",\"name\":"));
		name_write(call.name, ANTHROPIC_NAME_MAX, to);
		buf_add_str(to, STR(",\"input\":"));
		call_input_write(call.arguments, to, &writer->scratch);
		draft_copy_member(to, STR("caller"), json_find(call.value, STR("caller")));
		draft_copy_member(
		    to, STR("cache_control"), json_find(call.value, STR("cache_control")));
		buf_add_char(to, '}');
	}
}

/* Writes the content of a result: a string unchanged, parts as blocks. */
static void
add_result_content(struct writer *writer, struct json_value content)
{
	unsigned count = writer->block_count;
	size_t start = writer->blocks.len;

	if (content.type == JSON_STRING && content.len > 2) {
		buf_add_str(&writer->blocks, STR(",\"content\":"));
		buf_add_str(&writer->blocks, json_span(content));
		return;
	}
	if (content.type > JSON_NULL && content.type != JSON_ARRAY && content.type != JSON_STRING) {
		buf_add_str(&writer->blocks, STR(",\"content\":"));
		buf_add_str(&writer->blocks, json_span(json_as_string(writer, content)));
		return;
	}
	if (content.type != JSON_ARRAY)
		return;
	buf_add_str(&writer->blocks, STR(",\"content\":["));
	writer->block_count = 0;
	writer->part_role = ROLE_TOOL;
	add_content(writer, content);
	writer->part_role = writer->next_role;
	if (writer->block_count == 0)
		writer->blocks.len = start;
	else
		buf_add_char(&writer->blocks, ']');
	writer->block_count = count;
}

/* A result that answers no call of the message before becomes text. */
static void
add_result(struct writer *writer, const struct message *message)
{
	struct json_value content = text_part_join(message, &writer->content);
	struct buf id = BUF_INIT;
	struct buf *to;

	writer->next_role = writer->part_role = ROLE_USER;
	if (!call_ids_result(&writer->ids, message->tool_call_id, &id)) {
		add_content(writer, content);
		writer->is_string = false;
		buf_free(&id);
		return;
	}
	to = begin_block(writer);
	buf_add_str(to, STR("{\"type\":\"tool_result\",\"tool_use_id\":\""));
	buf_add_str(to, buf_str(&id));
	buf_add_char(to, '"');
	add_result_content(writer, content);
	if (message_is(message, METADATA_IS_ERROR))
		buf_add_str(to, STR(",\"is_error\":true"));
	draft_copy_member(
	    to, STR("cache_control"), json_find(message->value, STR("cache_control")));
	buf_add_char(to, '}');
	buf_free(&id);
}

static void
write_message(struct writer *writer, const struct message *message)
{
	uint64_t counted = writer->base.dropped->sum;

	if (message->role == ROLE_TOOL) {
		add_result(writer, message);
		return;
	}
	writer->next_role = message->role == ROLE_DEVELOPER ? ROLE_SYSTEM : message->role;
	writer->part_role = writer->next_role;
	if (message->reasoning.type == JSON_STRING && !json_is_blank(message->reasoning))
		tally_add(writer->base.dropped, STR("reasoning_content"));
	writer->has_said = false;
	add_content(writer, message->content);
	if (message->role == ROLE_ASSISTANT && add_text(writer, message->refusal))
		writer->is_string = writer->block_count == 1;
	add_calls(writer, message);
	if (!writer->has_said)
		text_part_drop_message(message, counted, writer->base.dropped);
}

static void
take(struct stage *stage, struct record *record)
{
	struct writer *writer = (struct writer *)stage;
	struct message read;
	const struct message *message = dialect_message(stage, record, &read);

	if (message == NULL)
		return;
	writer->line = (struct line){.file = record->line.file, .number = record->line.number};
	write_message(writer, message);
	if (record->state != RECORD_ADDED && writer->taken++ < writer->base.cached)
		writer->base.place = (struct cache_marks_place){
		    writer->written + lacks_user(writer), writer->block_count};
}

/* Takes the blanks off the end of the text that the held message ends with. */
static void
trim_end(struct writer *writer)
{
	struct buf *blocks = &writer->blocks;
	struct json_value block = json_written(blocks, writer->last_block);
	struct json_value text = json_find(block, STR("text"));
	size_t end, tail;

	if (!json_has_type(block, STR("text")) || text.type != JSON_STRING)
		return;
	end = (size_t)(text.ptr - blocks->ptr) + 1 + json_trimmed_len(text);
	tail = (size_t)(text.ptr + text.len - 1 - blocks->ptr);
	memmove(blocks->ptr + end, blocks->ptr + tail, blocks->len - tail);
	blocks->len -= tail - end;
}

/* The API takes no answer of the assistant to go on with that ends with blanks. */
static void
end(struct stage *stage)
{
	struct writer *writer = (struct writer *)stage;

	if (writer->role == ROLE_ASSISTANT && writer->block_count > 0)
		trim_end(writer);
	flush(writer);
}

static void
free_writer(struct dialect_stage *base)
{
	struct writer *writer = (struct writer *)base;

	call_ids_free(&writer->ids);
	buf_free(&writer->blocks);
	buf_free(&writer->text);
	buf_free(&writer->scratch);
	buf_free(&writer->content);
	free(writer);
}

struct dialect_stage *
anthropic_writer(void)
{
	struct writer *writer = mem_alloc(1, sizeof *writer);

	*writer =
	    (struct writer){.base = {.stage = {.take = take, .end = end}, .free = free_writer},
		.ids = {.rule = CALL_IDS_ANTHROPIC}};
	return &writer->base;
}
