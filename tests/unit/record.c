/* Records that are held, and the blocks that keep their bytes. */

#include "data/message/metadata.h"
#include "data/record.h"

#include "json_padded.h"
#include "unit.h"

static void
test_pool(void)
{
	struct block_pool *pool = block_pool_new();
	struct block *first = block_take(pool), *second = block_take(pool), *third;

	CHECK(first != second && first->cap == BLOCK_SIZE && first->pool == pool);
	strcpy(first->bytes, "stays");
	block_keep(first);
	block_drop(first);
	third = block_take(pool);
	CHECK(third != first && third != second);
	block_drop(first);
	CHECK(strcmp(first->bytes, "stays") == 0); /* until the pool gives it away */
	CHECK(block_take(pool) == first);
	block_drop(second);
	block_drop(third);
	block_pool_close(pool);
	block_drop(first); /* the last block takes the pool with it */
	block_keep(NULL);
	block_drop(NULL);
}

static void
test_grow(void)
{
	struct block *block = block_new(16);

	memcpy(block->bytes, "0123456789abcdef", 16);
	block = block_grow(block);
	CHECK(block->cap == 24);
	CHECK_STR(str_of(block->bytes, 16), "0123456789abcdef");
	block_drop(block);
}

static void
test_list(void)
{
	struct block_list list = {.block = NULL};
	struct block *a = block_new(1), *b = block_new(1);

	block_list_add(&list, a);
	block_list_add(&list, a);
	block_list_add(&list, b);
	CHECK(list.count == 2 && a->users == 2 && b->users == 2);
	block_list_free(&list);
	CHECK(list.count == 0 && a->users == 1 && b->users == 1);
	block_drop(a);
	block_drop(b);
}

/* A record of that JSON behind a byte order mark and before CR LF. */
static struct record
record_of(const char *json)
{
	struct str text = padded(json);
	size_t len = text.len + 5;
	char *raw = arena_zalloc(&padded_arena, 1, len + JSON_PADDING);

	memcpy(raw, "\xef\xbb\xbf", 3);
	memcpy(raw + 3, text.ptr, text.len);
	memcpy(raw + 3 + text.len, "\r\n", 2);
	return (struct record){.line = {.raw = str_of(raw, len), .text = str_of(raw + 3, text.len)},
	    .kind = RECORD_MESSAGE};
}

static void
edit_role(struct json_edit *edit, struct record *record)
{
	struct message message;

	json_edit_init(edit, record->line.text);
	json_edit_replace(
	    edit, json_span(record_message(record, &message)->role_value), STR("\"tool\""));
	record->edit = edit;
	record->state = RECORD_CHANGED;
}

static void
test_hold(void)
{
	struct record record = record_of("{\"role\":\"user\",\"n\":1}"), held;
	struct block *block = block_new(1);
	struct json_edit edit;

	record_hold(&held, &record); /* without a block, the bytes are copied */
	CHECK(held.block != NULL && held.line.raw.ptr == held.block->bytes);
	CHECK_STR(held.line.raw, "\xef\xbb\xbf{\"role\":\"user\",\"n\":1}\r\n");
	record_release(&held);
	CHECK(held.block == NULL);

	record.block = block;
	record_hold(&held, &record);
	CHECK(held.block == block && block->users == 2 && held.line.raw.ptr == record.line.raw.ptr);
	record_release(&held);
	CHECK(block->users == 1);

	edit_role(&edit, &record);
	record_hold(&held, &record); /* an edit lives no longer than take: it is applied */
	CHECK(held.block != block && held.edit == NULL && held.message == NULL);
	CHECK_STR(held.line.text, "{\"role\":\"tool\",\"n\":1}");
	CHECK_STR(held.line.raw, "\xef\xbb\xbf{\"role\":\"tool\",\"n\":1}\r\n");
	CHECK(held.state == RECORD_CHANGED);
	record_release(&held);
	json_edit_free(&edit);
	block_drop(block);
}

static void
check_value(struct json_value a, struct json_value b)
{
	CHECK(a.type == b.type);
	if (a.type != JSON_ABSENT)
		CHECK(str_eq(json_span(a), json_span(b)));
}

static void
check_same(const struct message *a, const struct message *b)
{
	struct call_walk walk, other;
	struct tool_call call, same;

	CHECK(a->kind == b->kind && a->role == b->role && a->home == b->home);
	check_value(a->value, b->value);
	check_value(a->role_value, b->role_value);
	check_value(a->content, b->content);
	check_value(a->tool_calls, b->tool_calls);
	check_value(a->tool_call_id, b->tool_call_id);
	check_value(a->reasoning, b->reasoning);
	check_value(a->metadata, b->metadata);
	for (int i = 0; i < METADATA_COUNT; i++)
		check_value(a->meta[i], b->meta[i]);
	walk = call_walk_of(a);
	other = call_walk_of(b);
	while (call_walk_next(&walk, &call)) {
		CHECK(call_walk_next(&other, &same));
		check_value(call.value, same.value);
		check_value(call.id, same.id);
		check_value(call.name, same.name);
		check_value(call.arguments, same.arguments);
	}
	CHECK(!call_walk_next(&other, &same));
}

/* Edits in all combinations: what is read anew is what the edited text says. */
static void
test_write(void)
{
	static const char *const texts[] = {"{\"role\":\"user\",\"content\":\"a\"}",
	    "{\"content\":[{\"type\":\"text\",\"text\":\"}\"}],\"metadata\":{\"id\":1},\"role\":"
	    "\"user\"}",
	    " { \"role\" : \"assistant\" , \"reasoning_content\" : \"r\" , \"content\" : null , "
	    "\"tool_calls\" : [ {\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}} "
	    ", "
	    "{\"id\":\"d\",\"name\":\"g\",\"args\":[]} ] , \"_metadata\" : {} } ",
	    "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"x\",\"metadata\":\"mine\"}"};
	static const struct metadata_member member = {METADATA_SECTION, STR_INIT("\"summary\"")};

	for (unsigned i = 0; i < 4 * 16; i++) {
		struct record record = record_of(texts[i / 16]);
		struct message before, anew, whole;
		struct json_edit edit;
		char memory[1024];
		struct str old;

		record_message(&record, &before);
		json_edit_init(&edit, record.line.text);
		if (i & 1)
			metadata_set(&edit, &before, &member, 1);
		if ((i & 2) && before.content.type != JSON_ABSENT)
			json_edit_replace(&edit, json_span(before.content), STR("\"other\""));
		if ((i & 4) && before.tool_calls.type == JSON_ARRAY)
			json_edit_add(&edit, before.call[0].value, STR("n"), STR("1"));
		if (i & 8)
			json_edit_add(&edit, before.value, STR("tool_call_id"), STR("\"e\""));
		record.edit = &edit;
		CHECK(record_written_len(&record) + JSON_PADDING <= sizeof memory);
		old = record.line.raw;
		record_write(&record, memory, &anew);
		memset((char *)old.ptr, '?', old.len); /* nothing of it is used any more */
		CHECK(record.message == &anew && record.edit == NULL);
		message_reread(&whole, record.line.text);
		check_same(&anew, &whole);
		json_edit_free(&edit);
	}
}

/* A new record keeps its line end, and has none in its text. */
static void
test_make(void)
{
	const struct line at = {.file = "log", .number = 7};
	struct record record;

	record_make(&record, &at, padded("{\"role\":\"user\"}\n"));
	CHECK_STR(record.line.raw, "{\"role\":\"user\"}\n");
	CHECK_STR(record.line.text, "{\"role\":\"user\"}");
	CHECK(record.line.number == 7 && strcmp(record.line.file, "log") == 0);
	CHECK(record.state == RECORD_ADDED && record.block == NULL && record.edit == NULL);
	record_make(&record, &at, padded("{}"));
	CHECK_STR(record.line.raw, "{}");
	CHECK_STR(record.line.text, "{}");
}

int
main(void)
{
	message_init();
	test_pool();
	test_grow();
	test_list();
	test_hold();
	test_write();
	test_make();
	return unit_end();
}
