#include "dialects/request/chat.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/content.h"
#include "data/message/texts.h"
#include "dialects/request/request_reader.h"
#include "dialects/unread.h"
#include "json/scan.h"
#include "policy/normalize/mend.h"

void
chat_put(struct chat *chat, const struct line *line)
{
	dialect_emit_of(&chat->base.stage, line, &chat->text, NULL, chat->read, NULL);
	chat->read = 0;
}

void
chat_begin_draft(struct chat *chat, struct str role)
{
	if (chat->draft == NULL) {
		chat->draft = mem_alloc(1, sizeof *chat->draft);
		*chat->draft = (struct draft)DRAFT_INIT;
	}
	draft_reset(chat->draft, role);
}

void
chat_write_draft(struct chat *chat)
{
	struct message made;

	buf_reset(&chat->text);
	draft_write(chat->draft, &chat->text, &made);
	chat->read = chat->draft->read;
}

void
chat_put_draft(struct chat *chat, const struct line *line)
{
	if (draft_is_empty(chat->draft))
		return;
	chat_write_draft(chat);
	chat_put(chat, line);
}

/* Lets the dialects read a message. An alias of a role is replaced first: the repair will replace
 * it, and a second run must not find a message to read that the first run left alone. */
static const struct dialect *
read_message(struct chat *chat, const struct line *line, const struct message *message)
{
	enum role alias = mend_alias(message);
	const struct dialect *dialect = NULL;
	struct message renamed;

	if (message_is_unknown(message))
		return NULL;
	/* A role "function" has a meaning of its own. */
	if (alias == ROLE_OTHER || alias == ROLE_TOOL)
		dialect = dialect_read_message(chat, line, message);
	if (alias == ROLE_OTHER || dialect != NULL)
		return dialect;
	renamed = *message;
	renamed.role = alias;
	return dialect_read_message(chat, line, &renamed);
}

void
chat_read_on(struct chat *chat, const struct line *line)
{
	struct message message;

	buf_set(&chat->half, buf_str(&chat->text));
	buf_pad(&chat->half);
	message_parse(&message, buf_str(&chat->half));
	if (read_message(chat, line, &message) == NULL)
		chat_put(chat, line);
}

void
chat_read_edit(struct chat *chat, const struct line *line, struct json_edit *edit)
{
	buf_reset(&chat->text);
	json_edit_end(edit, &chat->text);
	chat_read_on(chat, line);
}

void
chat_read_element(struct chat *chat, const struct line *line, struct json_value element)
{
	struct record record;
	struct message read;

	buf_set(&chat->element, json_span(element));
	buf_add_char(&chat->element, '\n');
	buf_pad(&chat->element);
	record_respell(&record, line, buf_str(&chat->element), &read);
	if (record.kind != RECORD_MESSAGE ||
	    read_message(chat, &record.line, record.message) == NULL)
		stage_emit(&chat->base.stage, &record);
}

void
chat_read_frame(
    struct chat *chat, const struct line *line, struct json_value record, struct str messages)
{
	struct json_value system = json_find(record, STR("system"));

	if (request_reader_context(record, messages, &chat->text))
		chat_put(chat, line);
	if (system.type == JSON_STRING || system.type == JSON_ARRAY) {
		message_write_system(&chat->text, system);
		chat_put(chat, line);
	}
}

void
chat_begin_session(struct chat *chat, struct json_value record)
{
	if (chat->session == NULL) {
		chat->session = mem_alloc(1, sizeof *chat->session);
		line_session_init(chat->session);
	}
	line_session_begin(chat->session, record, chat->next);
	chat->base.stage.next = &chat->session->stage;
}

bool
chat_has_messages(struct json_value record, bool (*is_one)(struct json_value message))
{
	struct json_value messages =
	    record.type == JSON_OBJECT ? json_find(record, STR("messages")) : record;
	bool found = false;

	for (struct json_walk walk = json_walk_list(messages); json_walk_next(&walk);) {
		if (json_find(walk.value, STR("role")).type != JSON_STRING)
			return false;
		found = true;
		if (is_one != NULL && is_one(walk.value))
			return true;
	}
	return found && is_one == NULL;
}

bool
chat_is_collection(struct json_value value)
{
	if (value.type != JSON_OBJECT)
		return unread_has_message(value);
	return json_find(value, STR("messages")).type == JSON_ARRAY && !unread_speaks(value);
}

bool
chat_is_session(struct json_value value)
{
	const struct dialect *dialect = dialect_detect(value);

	if (value.type != JSON_OBJECT || json_find(value, STR("role")).type == JSON_STRING)
		return false;
	return chat_is_collection(value) || (dialect != NULL && dialect->read_record != NULL);
}

/* Reads the messages of an array, of a request, or of a conversation. Returns their dialect, or
 * NULL when the value is none of these. */
static const struct dialect *
read_collection(struct chat *chat, const struct line *line, struct json_value value)
{
	static const struct str messages_name = STR_INIT("messages");
	const struct dialect *dialect;

	chat->next = chat->base.stage.next;
	if (chat_is_collection(value)) {
		dialect = dialect_detect(value);
		if (dialect == NULL)
			dialect = chat->dialect;
		if (line_session_is(value))
			chat_begin_session(chat, value);
		if (value.type == JSON_OBJECT) {
			chat_read_frame(chat, line, value, messages_name);
			value = json_find(value, messages_name);
		}
		for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk);)
			chat_read_element(chat, line, walk.value);
	} else {
		dialect = dialect_read_record(chat, line, value);
	}
	chat->base.stage.next = chat->next;
	return dialect;
}

/* Reads an array of requests or conversations, if the first element is one; any other element is a
 * record of its own. Returns the dialect of the first, or NULL. */
static const struct dialect *
read_list(struct chat *chat, const struct line *line, struct json_value list)
{
	const struct dialect *dialect = NULL;
	struct json_walk walk = json_walk_list(list);

	if (!json_walk_next(&walk) || !chat_is_session(walk.value))
		return NULL;
	dialect = read_collection(chat, line, walk.value);
	while (dialect != NULL && json_walk_next(&walk))
		if (walk.value.type != JSON_OBJECT ||
		    read_collection(chat, line, walk.value) == NULL)
			chat_read_element(chat, line, walk.value);
	return dialect;
}

static void
take(struct stage *stage, struct record *record)
{
	struct chat *chat = (struct chat *)stage;
	const struct line *line = &record->line;
	const struct dialect *dialect = NULL;

	if (record->kind == RECORD_MESSAGE) {
		dialect = read_message(chat, line, record->message);
	} else if (record->kind == RECORD_FOREIGN) {
		dialect = read_collection(chat, line, record->message->value);
		if (dialect == NULL)
			dialect = read_list(chat, line, record->message->value);
		if (chat->odd_turns > 0)
			dialect_note_flaw(chat->reading, line,
			    "%ju turn%s of a conversation without a speaker",
			    (uintmax_t)chat->odd_turns, chat->odd_turns == 1 ? "" : "s");
		if (chat->odd_calls > 0)
			dialect_note_flaw(chat->reading, line,
			    "%ju function_call%s without a call stayed text",
			    (uintmax_t)chat->odd_calls, chat->odd_calls == 1 ? "" : "s");
		chat->odd_turns = chat->odd_calls = 0;
	}
	if (dialect != NULL)
		dialect_note_other(chat->reading, dialect, line);
	else
		stage_emit(stage, record);
}

static void
free_chat(struct dialect_stage *base)
{
	struct chat *chat = (struct chat *)base;

	if (chat->draft != NULL)
		draft_free(chat->draft);
	free(chat->draft);
	buf_free(&chat->text);
	buf_free(&chat->scratch);
	buf_free(&chat->half);
	buf_free(&chat->element);
	if (chat->session != NULL)
		line_session_free(chat->session);
	free(chat->session);
	free(chat);
}

struct dialect_stage *
chat_reader(struct dialect_reading *reading, const struct dialect *dialect)
{
	struct chat *chat = mem_alloc(1, sizeof *chat);

	*chat = (struct chat){
	    .base = {.stage = {.take = take, .end = stage_pass_end}, .free = free_chat},
	    .reading = reading,
	    .dialect = dialect};
	return &chat->base;
}
