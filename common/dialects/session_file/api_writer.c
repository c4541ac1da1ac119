#include "dialects/session_file/api_writer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/parts/text_part.h"
#include "dialects/session_file/session_call.h"
#include "dialects/session_file/session_parts.h"
#include "json/string.h"

struct writer {
	struct dialect_stage base;
	const struct session_form *form;
	struct session_parts parts;
	struct session_call_list calls;
	struct line line; /* the last line that added to the output */
	enum role role;   /* of the record that is held: its parts are in the lists */
	bool has_begun;   /* a record of another role than system was written */
	uint64_t records;
	struct buf text, alone, content;
};

/* Emits the record that the template makes of the values. Returns false when it makes none. */
static bool
put(struct writer *writer, const char *form)
{
	buf_reset(&writer->text);
	if (!session_form_write(form, writer->parts.value, &writer->text))
		return false;
	writer->records++;
	dialect_emit(&writer->base.stage, &writer->line, &writer->text);
	return true;
}

static void
put_parts(struct writer *writer, struct str list, enum role role)
{
	const struct session_form *form = writer->form;

	writer->parts.value[SESSION_parts] = list;
	writer->parts.value[SESSION_role] = role_name(role);
	put(writer,
	    role == ROLE_USER          ? form->user :
		role == ROLE_ASSISTANT ? form->assistant :
					 form->system);
}

/* Writes the record that is held. Where the user must begin, a message of the user goes before a
 * leading one of the assistant. */
static void
flush(struct writer *writer)
{
	struct session_parts *parts = &writer->parts;
	struct buf *list = &parts->list[SESSION_IN_PARTS];

	if (list->len == 0)
		return;
	if (writer->form->alternates && !writer->has_begun && writer->role == ROLE_ASSISTANT) {
		parts->value[SESSION_text] = STR("\"[earlier messages are left out]\"");
		parts->value[SESSION_thought] = (struct str){NULL, 0};
		buf_reset(&writer->alone);
		session_form_write(
		    writer->form->part[SESSION_TEXT].form, parts->value, &writer->alone);
		put_parts(writer, buf_str(&writer->alone), ROLE_USER);
	}
	writer->has_begun |= !role_is_system(writer->role);
	put_parts(writer, buf_str(list), writer->role);
	session_parts_clear(parts);
}

static bool
put_alone(struct session_parts *parts, const char *form)
{
	struct writer *writer = (struct writer *)((char *)parts - offsetof(struct writer, parts));

	flush(writer);
	return put(writer, form);
}

static void
begin(struct writer *writer, enum role role)
{
	if (role != writer->role || !writer->form->alternates)
		flush(writer);
	writer->role = role;
}

static void
add_calls(struct writer *writer, const struct message *message)
{
	struct tool_call call;

	session_call_begin(&writer->calls);
	if (message->role != ROLE_ASSISTANT)
		return;
	for (struct call_walk walk = call_walk_of(message); call_walk_next(&walk, &call);) {
		session_call_add(&writer->calls, &call, writer->parts.value);
		session_parts_set_thought(&writer->parts, call.value);
		session_parts_add(&writer->parts, SESSION_CALL);
	}
}

static void
write_message(struct writer *writer, const struct message *message, enum role role)
{
	struct session_parts *parts = &writer->parts;
	uint64_t counted = writer->base.dropped->sum;
	uint64_t said = writer->records + parts->parts;

	session_parts_begin(parts, role);
	session_parts_add_thinking(parts, message->reasoning);
	session_parts_add_content(parts, text_part_join(message, &writer->content));
	if (role == ROLE_ASSISTANT)
		session_parts_add_refusal(parts, message->refusal);
	add_calls(writer, message);
	if (writer->records + parts->parts == said)
		text_part_drop_message(message, counted, writer->base.dropped);
}

static void
write_result(struct writer *writer, const struct message *message, size_t call)
{
	struct session_parts *parts = &writer->parts;
	bool is_failed = message_is(message, METADATA_IS_ERROR);

	writer->calls.next++;
	session_parts_begin(parts, ROLE_TOOL);
	session_parts_add_thinking(parts, message->reasoning);
	session_parts_add_content(parts, text_part_join(message, &writer->content));
	session_parts_set_output(parts);
	session_call_set(&writer->calls, call, parts->value);
	if (writer->form->result == NULL) {
		session_parts_add(parts, is_failed ? SESSION_FAILED : SESSION_RESULT);
		return;
	}
	if (is_failed != session_parts_says_failure(parts, is_failed))
		tally_add(writer->base.dropped, STR("is_error"));
	put(writer, writer->form->result);
	session_parts_clear(parts);
}

static void
take(struct stage *stage, struct record *record)
{
	struct writer *writer = (struct writer *)stage;
	struct message read;
	const struct message *message = dialect_message(stage, record, &read);
	ptrdiff_t call = SESSION_CALL_NONE;

	if (message == NULL)
		return;
	writer->parts.dropped = writer->base.dropped;
	if (message->role == ROLE_TOOL)
		call = session_call_find(&writer->calls, message->tool_call_id);
	begin(writer, message->role == ROLE_TOOL ? ROLE_USER : message->role);
	writer->line = (struct line){.file = record->line.file, .number = record->line.number};
	if (call >= 0)
		write_result(writer, message, (size_t)call);
	else
		write_message(writer, message, writer->role);
	if (!writer->form->alternates)
		flush(writer);
}

static void
end(struct stage *stage)
{
	flush((struct writer *)stage);
}

static void
free_writer(struct dialect_stage *base)
{
	struct writer *writer = (struct writer *)base;

	session_parts_free(&writer->parts);
	session_call_free(&writer->calls);
	buf_free(&writer->text);
	buf_free(&writer->alone);
	buf_free(&writer->content);
	free(writer);
}

struct dialect_stage *
api_writer(const struct session_form *form)
{
	struct writer *writer = mem_alloc(1, sizeof *writer);

	*writer =
	    (struct writer){.base = {.stage = {.take = take, .end = end}, .free = free_writer},
		.form = form,
		.parts = {.form = form, .put_alone = put_alone},
		.calls = {.name_max = form->name_max,
		    .ids = {.rule = CALL_IDS_ANTHROPIC, .max = form->id_max}}};
	return &writer->base;
}
