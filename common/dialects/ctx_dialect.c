/*
 * The canonical stream (ctx-message(5)). Reading and writing leave its records unchanged.
 */

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/dialect.h"

static enum dialect_sign
sign(struct json_value record)
{
	return json_find(record, STR("role")).type == JSON_STRING &&
		json_has(record, STR("metadata")) ?
	    DIALECT_SIGN_CLEAR :
	    DIALECT_SIGN_NONE;
}

static void
free_stage(struct dialect_stage *stage)
{
	free(stage);
}

static struct dialect_stage *
writer(void)
{
	struct dialect_stage *stage = mem_alloc(1, sizeof *stage);

	*stage = (struct dialect_stage){
	    .stage = {.take = stage_emit, .end = stage_pass_end}, .free = free_stage};
	return stage;
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	(void)reading;
	return writer();
}

const struct dialect ctx_dialect = {
    .name = "ctx", .sign = sign, .reader = reader, .writer = writer, .is_chat = true};
