/*
 * Stores of instructor, a library for PHP, in both forms that it writes: an AgentContext and a
 * storage file; this file reads them.
 */

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/instructor/instructor_agent.h"
#include "dialects/instructor/instructor_context.h"
#include "dialects/instructor/instructor_file.h"
#include "dialects/instructor/instructor_order.h"
#include "dialects/instructor/instructor_writer.h"

struct reader {
	struct dialect_stage base;
	struct instructor_output output;
	struct instructor_file file;
};

static void
take(struct stage *stage, struct record *record)
{
	struct reader *reader = (struct reader *)stage;

	if (record->line.file != reader->file.file && reader->file.file != NULL)
		instructor_file_flush(&reader->file);
	if (record->kind != RECORD_FOREIGN || !instructor_context_is(record->message->value)) {
		instructor_file_take(&reader->file, record);
		return;
	}
	instructor_file_flush(&reader->file);
	instructor_agent_read(&reader->output, record);
	dialect_note_other(reader->output.reading, &instructor_dialect, &record->line);
}

static void
end(struct stage *stage)
{
	instructor_file_flush(&((struct reader *)stage)->file);
}

static void
free_reader(struct dialect_stage *base)
{
	struct reader *reader = (struct reader *)base;

	instructor_file_free(&reader->file);
	buf_free(&reader->output.text);
	free(reader);
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);

	*reader =
	    (struct reader){.base = {.stage = {.take = take, .end = end}, .free = free_reader},
		.output = {.stage = &reader->base.stage, .reading = reading}};
	instructor_file_init(&reader->file, &reader->output);
	return &reader->base;
}

const struct dialect instructor_dialect = {.name = "instructor",
    .reader = reader,
    .writer = instructor_writer,
    .order = instructor_order,
    .no_bad_lines = true};
