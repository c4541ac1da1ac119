/*
 * The reader of whatever comes: the first record that tells its dialect decides. Until then, and
 * when that is a dialect of chat messages, each message is read as what it is.
 */

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/dialect.h"

struct reader {
	struct dialect_stage base;
	struct dialect_reading *reading;
	struct dialect_stage *chosen; /* NULL before the first record */
	bool is_told;
};

static void
choose(struct reader *reader, const struct dialect *dialect)
{
	if (reader->chosen != NULL)
		reader->chosen->free(reader->chosen);
	reader->chosen = dialect->reader(reader->reading);
	reader->chosen->stage.next = reader->base.stage.next;
	reader->chosen->stage.fault = reader->base.stage.fault;
}

static void
find_dialect(struct reader *reader, const struct record *record)
{
	const struct dialect *dialect;

	if (reader->is_told || record->kind == RECORD_BAD || record->kind == RECORD_BLANK)
		return;
	dialect = dialect_detect(record->message->value);
	reader->is_told = dialect != NULL;
	if (reader->is_told && !dialect->is_chat)
		choose(reader, dialect);
}

static void
take(struct stage *stage, struct record *record)
{
	struct reader *reader = (struct reader *)stage;

	if (reader->chosen == NULL)
		choose(reader, &openai_dialect);
	find_dialect(reader, record);
	reader->chosen->stage.take(&reader->chosen->stage, record);
}

static void
end(struct stage *stage)
{
	struct reader *reader = (struct reader *)stage;

	if (reader->chosen != NULL)
		reader->chosen->stage.end(&reader->chosen->stage);
}

static void
free_reader(struct dialect_stage *base)
{
	struct reader *reader = (struct reader *)base;

	if (reader->chosen != NULL)
		reader->chosen->free(reader->chosen);
	free(reader);
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);

	*reader = (struct reader){.base = {{.take = take, .end = end}, free_reader},
	    .reading = reading};
	return &reader->base;
}

const struct dialect auto_dialect = {.name = "auto", .reader = reader};
