#include "dialects/session_file/api_writer.h"

#include "base/mem.h"
#include "dialects/session_file/form_writer.h"

struct api {
	struct form_writer writer;
	enum role role; /* of the record that is held: its parts are in the lists */
	bool has_begun; /* a record of another role than system was written */
};

/* Emits the record that the template makes of the values. Returns false when it makes none. */
static bool
put(struct form_writer *writer, const char *form)
{
	buf_reset(&writer->text);
	if (!session_form_write(form, writer->parts.value, &writer->text))
		return false;
	writer->records++;
	dialect_emit(&writer->base.stage, &writer->line, &writer->text);
	return true;
}

static void
put_parts(struct form_writer *writer, struct str list, enum role role)
{
	writer->parts.value[SESSION_parts] = list;
	writer->parts.value[SESSION_role] = role_name(role);
	put(writer, form_writer_form(writer->form, role));
}

/* Writes the record that is held. If the user must begin, a message of the user is put before a
 * leading one of the assistant. */
static void
flush(struct api *api)
{
	struct form_writer *writer = &api->writer;
	struct session_parts *parts = &writer->parts;
	struct buf *list = &parts->list[SESSION_IN_PARTS];

	if (list->len == 0)
		return;
	if (writer->form->alternates && !api->has_begun && api->role == ROLE_ASSISTANT) {
		parts->value[SESSION_text] = STR("\"[earlier messages are left out]\"");
		parts->value[SESSION_thought] = (struct str){NULL, 0};
		buf_reset(&writer->alone);
		session_form_write(
		    writer->form->part[SESSION_TEXT].form, parts->value, &writer->alone);
		put_parts(writer, buf_str(&writer->alone), ROLE_USER);
	}
	api->has_begun |= !role_is_system(api->role);
	put_parts(writer, buf_str(list), api->role);
	session_parts_clear(parts);
}

static bool
put_alone(struct session_parts *parts, const char *form)
{
	struct form_writer *writer = form_writer_of(parts);

	flush((struct api *)writer);
	return put(writer, form);
}

static void
write_result(struct form_writer *writer, const struct message *message, size_t call)
{
	const char *failed = writer->form->part[SESSION_FAILED].form;

	form_writer_read_result(writer, message, call);
	if (form_writer_add_result(writer, message, call))
		return;
	put(writer,
	    failed != NULL && message_is(message, METADATA_IS_ERROR) ? failed :
								       writer->form->result);
	session_parts_clear(&writer->parts);
}

static void
take(struct stage *stage, struct record *record)
{
	struct api *api = (struct api *)stage;
	struct form_writer *writer = &api->writer;
	struct message read;
	const struct message *message = dialect_message(stage, record, &read);
	ptrdiff_t call = SESSION_CALL_NONE;
	enum role role;

	if (message == NULL)
		return;
	writer->parts.dropped = writer->base.dropped;
	role = message->role == ROLE_TOOL ? ROLE_USER : message->role;
	if (message->role == ROLE_TOOL)
		call = session_call_find(&writer->calls, message->tool_call_id);
	if (role != api->role || !writer->form->alternates)
		flush(api);
	api->role = role;
	writer->line = (struct line){.file = record->line.file, .number = record->line.number};
	if (call >= 0)
		write_result(writer, message, (size_t)call);
	else
		form_writer_add(writer, message, role);
	if (!writer->form->alternates)
		flush(api);
}

static void
end(struct stage *stage)
{
	flush((struct api *)stage);
}

static void
free_writer(struct dialect_stage *base)
{
	form_writer_free((struct form_writer *)base);
}

struct dialect_stage *
api_writer(const struct session_form *form)
{
	struct api *api = mem_alloc(1, sizeof *api);

	*api =
	    (struct api){.writer.base = {.stage = {.take = take, .end = end}, .free = free_writer}};
	form_writer_init(&api->writer, form, put_alone, 0);
	return &api->writer.base;
}
