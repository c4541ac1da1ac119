#include "dialects/instructor/instructor_writer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/instructor/instructor_context.h"
#include "dialects/instructor/instructor_message.h"
#include "dialects/instructor/instructor_order.h"

/* The levels of an AgentContext around a message. */
enum { STORE_DEPTH = 5 };

struct writer {
	struct dialect_stage base;
	struct instructor_context context;
	struct buf text;
	struct instructor_order_section state;
	struct line line; /* the last line of the context */
	bool is_begun;    /* a record is in context */
};

static void
take(struct stage *stage, struct record *record)
{
	struct writer *writer = (struct writer *)stage;
	struct message read;
	const struct message *message;
	const struct json_value absent = {.type = JSON_ABSENT};

	if (record->kind == RECORD_CONTEXT) {
		message = record_message(record, &read);
		instructor_context_set(&writer->context, message->value);
	} else if ((message = dialect_message(stage, record, &read)) == NULL) {
		return;
	} else if (instructor_message_is_too_deep(message->value, STORE_DEPTH)) {
		dialect_set_aside(stage, record);
		return;
	} else {
		struct buf *list = instructor_store_section(
		    &writer->context.store, instructor_order_section(&writer->state, message));
		bool has_comma = list->ptr[list->len - 1] == ',';

		if (instructor_message_write(message, absent, list, writer->base.dropped))
			writer->base.joined++;
		else
			list->len -= has_comma;
	}
	writer->line = (struct line){.file = record->line.file, .number = record->line.number};
	writer->is_begun = true;
}

static void
end(struct stage *stage)
{
	struct writer *writer = (struct writer *)stage;

	if (!writer->is_begun)
		return;
	instructor_context_write(&writer->context, &writer->text);
	dialect_emit(&writer->base.stage, &writer->line, &writer->text);
}

static void
free_writer(struct dialect_stage *base)
{
	struct writer *writer = (struct writer *)base;

	instructor_context_free(&writer->context);
	buf_free(&writer->text);
	buf_free(&writer->state.of_calls);
	free(writer);
}

struct dialect_stage *
instructor_writer(void)
{
	struct writer *writer = mem_alloc(1, sizeof *writer);

	*writer =
	    (struct writer){.base = {.stage = {.take = take, .end = end}, .free = free_writer}};
	return &writer->base;
}
