#include "dialects/session_file/form_writer.h"

#include <stdlib.h>

#include "dialects/parts/text_part.h"

void
form_writer_init(struct form_writer *writer, const struct session_form *form,
    bool (*put_alone)(struct session_parts *parts, const char *form), char mark)
{
	writer->form = form;
	writer->parts.form = form;
	writer->parts.put_alone = put_alone;
	writer->calls.name_max = form->name_max;
	writer->calls.ids.rule = CALL_IDS_ANTHROPIC;
	writer->calls.ids.mark = mark;
	writer->calls.ids.max = form->id_max;
	writer->calls.ids.keeps_joined = form->keeps_joined_ids;
}

const char *
form_writer_form(const struct session_form *form, enum role role)
{
	return role == ROLE_USER   ? form->user :
	    role == ROLE_ASSISTANT ? form->assistant :
				     form->system;
}

/* Whether the record of a call holds its result. */
static bool
waits(const struct form_writer *writer)
{
	return writer->form->result == NULL && writer->form->part[SESSION_RESULT].form == NULL;
}

static void
add_calls(struct form_writer *writer, const struct message *message)
{
	struct call_walk walk = call_walk_of(message);
	struct tool_call call;

	session_call_begin(&writer->calls);
	while (call_walk_next(&walk, &call)) {
		session_call_add(&writer->calls, &call, writer->parts.value);
		session_parts_set_thought(&writer->parts, call.value);
		if (!waits(writer))
			session_parts_add(&writer->parts, SESSION_CALL);
	}
	writer->is_held = session_call_count(&writer->calls) > 0 && waits(writer);
}

void
form_writer_recall(struct form_writer *writer, const struct message *message)
{
	struct call_walk walk = call_walk_of(message);
	struct tool_call call;

	session_call_begin(&writer->calls);
	while (!waits(writer) && call_walk_next(&walk, &call))
		session_call_add(&writer->calls, &call, writer->parts.value);
}

void
form_writer_add(struct form_writer *writer, const struct message *message, enum role role)
{
	struct session_parts *parts = &writer->parts;
	uint64_t counted = writer->base.dropped->sum;
	uint64_t said = writer->records + parts->parts;

	session_parts_begin(parts, role);
	session_parts_add_thinking(parts, message->reasoning);
	session_parts_add_content(parts, text_part_join(message, &writer->content));
	if (session_parts_is_command(parts)) {
		session_parts_clear(parts);
		tally_add(writer->base.dropped, STR("text that is a command"));
		return;
	}
	if (role == ROLE_ASSISTANT)
		session_parts_add_refusal(parts, message->refusal);
	/* Not of lists that have messages before it: each would copy them all. */
	if (!writer->form->alternates)
		session_parts_set_output(parts);
	add_calls(writer, message);
	if (!writer->is_held && writer->records + parts->parts == said)
		text_part_drop_message(message, counted, writer->base.dropped);
}

void
form_writer_add_open(struct form_writer *writer, size_t end)
{
	for (; waits(writer) && writer->calls.next < end; writer->calls.next++) {
		session_call_set(&writer->calls, writer->calls.next, writer->parts.value);
		session_parts_add(&writer->parts, SESSION_OPEN);
	}
}

static enum session_form_part
result_part(const struct session_form *form, bool is_failed)
{
	if (is_failed && form->part[SESSION_FAILED].form != NULL)
		return SESSION_FAILED;
	return form->part[SESSION_RESULT].form != NULL ? SESSION_RESULT : SESSION_CALL;
}

void
form_writer_read_result(struct form_writer *writer, const struct message *message, size_t call)
{
	struct session_parts *parts = &writer->parts;
	bool is_failed = message_is(message, METADATA_IS_ERROR);
	enum session_form_part part = result_part(writer->form, is_failed);

	form_writer_add_open(writer, call);
	writer->calls.next = call + 1;
	session_parts_begin(parts, ROLE_TOOL);
	session_parts_add_thinking(parts, message->reasoning);
	parts->no_files = writer->form->result != NULL ?
	    strstr(writer->form->result, "<flat>") != NULL :
	    waits(writer) && strstr(writer->form->part[part].form, "files>") == NULL;
	session_parts_add_content(parts, text_part_join(message, &writer->content));
	session_parts_set_output(parts);
	parts->value[SESSION_failed] = is_failed ? STR("true") : STR("false");
	if (is_failed != session_parts_says_failure(parts, is_failed))
		tally_add(writer->base.dropped, STR("is_error"));
}

bool
form_writer_add_result(struct form_writer *writer, const struct message *message, size_t call)
{
	session_call_set(&writer->calls, call, writer->parts.value);
	if (writer->form->result == NULL)
		session_parts_add(&writer->parts,
		    result_part(writer->form, message_is(message, METADATA_IS_ERROR)));
	return writer->form->result == NULL;
}

void
form_writer_free(struct form_writer *writer)
{
	session_parts_free(&writer->parts);
	session_call_free(&writer->calls);
	buf_free(&writer->base.resume);
	buf_free(&writer->text);
	buf_free(&writer->alone);
	buf_free(&writer->content);
	free(writer);
}
