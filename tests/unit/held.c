/* A held stream: what comes in goes out, by reference where nothing changed. */

#include "data/session/held.h"

#include "data/change.h"

#include "json_padded.h"
#include "unit.h"

enum { MANY = 5 };

/* The end of the chain: gathers the records, and counts those that came by reference. */
struct gather {
	struct stage stage;
	struct buf text;
	unsigned by_reference;
};

static void
gather_take(struct stage *stage, struct record *record)
{
	struct gather *gather = (struct gather *)stage;
	const char *raw = record->line.raw.ptr;

	buf_add_str(&gather->text, record->line.raw);
	if (record->block == NULL)
		return;
	CHECK(raw >= record->block->bytes && raw < record->block->bytes + record->block->cap);
	gather->by_reference++;
}

static void
emit_all(struct stage *stage)
{
	struct held *held = (struct held *)stage;

	held->session.entry[1].is_dropped = true;
	change_text(&held->session, 2, NULL, STR("{\"role\":\"tool\"}"));
	change_add(&held->session, held->session.count, NULL, STR("{\"role\":\"last\"}"));
	change_add(&held->session, 1, NULL, STR("{\"role\":\"system\"}"));
	held_emit_all(held);
	held_emit(held, 0); /* out of order */
}

/* A user message and a line end, in the block where one is given. */
static void
give(struct stage *stage, char id, struct block *block)
{
	char json[] = "{\"role\":\"user\",\"id\":\"?\"}";
	struct record record = {.kind = RECORD_MESSAGE};
	struct str text;
	char *at;

	*strchr(json, '?') = id;
	text = padded(json);
	at = arena_zalloc(&padded_arena, 1, text.len + 1 + JSON_PADDING);
	if (block != NULL)
		at = block->bytes + 100;
	memcpy(at, text.ptr, text.len);
	at[text.len] = '\n';
	record.line = (struct line){.raw = str_of(at, text.len + 1), .text = str_of(at, text.len)};
	record.block = block;
	stage->take(stage, &record);
	if (block == NULL)
		memset(at, 0, text.len + 1); /* such bytes live until take returns */
}

int
main(void)
{
	struct gather gather = {.stage = {.take = gather_take, .end = stage_pass_end}};
	struct block_pool *pool = block_pool_new();
	struct fault fault = FAULT_INIT;
	struct block *block[MANY];
	struct held held;

	message_init();
	gather.stage.fault = &fault;
	held_init(&held, emit_all);
	stage_link((struct stage *[]){&held.stage, NULL}, &gather.stage, &fault);
	for (int i = 0; i < MANY; i++) {
		block[i] = block_take(pool);
		memset(block[i]->bytes, 0, 1000);
		give(&held.stage, (char)('a' + i), block[i]);
		CHECK(block[i]->users == 2);
		block_drop(block[i]);
	}
	give(&held.stage, 'z', NULL);
	stage_end(&held.stage);
	CHECK_STR(gather.text,
	    "{\"role\":\"user\",\"id\":\"a\"}\n{\"role\":\"system\"}{\"role\":\"tool\"}\n"
	    "{\"role\":\"user\",\"id\":\"d\"}\n{\"role\":\"user\",\"id\":\"e\"}\n"
	    "{\"role\":\"user\",\"id\":\"z\"}\n{\"role\":\"last\"}"
	    "{\"role\":\"user\",\"id\":\"a\"}\n");
	CHECK(gather.by_reference == 5);
	held_free(&held);
	block_pool_close(pool);
	buf_free(&gather.text);
	return unit_end();
}
