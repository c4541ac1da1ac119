/*
 * The canonical stream (ctx-message(5)). Read and written it stays what it is.
 */

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/untrusted.h"

struct reader {
	struct dialect_stage base;
	struct dialect_reading *reading;
	struct buf stripped;
};

static enum dialect_sign
sign(struct json_value record)
{
	return json_find(record, STR("role")).type == JSON_STRING &&
	    json_find(record, STR("metadata")).type != JSON_ABSENT ? DIALECT_SIGN_CLEAR :
	    DIALECT_SIGN_NONE;
}

static void
read_record(struct stage *stage, struct record *record)
{
	struct reader *reader = (struct reader *)stage;
	struct message stripped;

	if (!reader->reading->untrusted ||
	    untrusted_strip(reader->reading, record, &stripped, &reader->stripped))
		stage_emit(stage, record);
}

static void
free_reader(struct dialect_stage *base)
{
	struct reader *reader = (struct reader *)base;

	buf_free(&reader->stripped);
	free(reader);
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);

	*reader = (struct reader){.reading = reading,
	    .base = {{.take = read_record, .end = stage_pass_end}, free_reader}};
	return &reader->base;
}

static void
free_writer(struct dialect_stage *base)
{
	free(base);
}

static struct dialect_stage *
writer(void)
{
	struct dialect_stage *writer = mem_alloc(1, sizeof *writer);

	*writer = (struct dialect_stage){{.take = stage_emit, .end = stage_pass_end}, free_writer};
	return writer;
}

const struct dialect ctx_dialect = {.name = "ctx", .sign = sign, .reader = reader,
    .writer = writer, .is_chat = true};
