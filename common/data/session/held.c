#include "data/session/held.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/change.h"
#include "data/session/session_builder.h"

/* Prefetches the ends of the lists that the record is added to. Of very many sessions they are
 * seldom in the processor's cache, and to wait for one after the other takes long. */
static void
fetch(const struct held *held)
{
	const struct session *t = &held->session;

	if (t->count > 0)
		__builtin_prefetch(t->entry + t->count, 1);
	if (t->call_count > 0)
		__builtin_prefetch(t->call + t->call_count, 1);
	if (t->group_count > 0)
		__builtin_prefetch(t->group + t->group_count, 1);
	if (held->first_count > 0) {
		__builtin_prefetch(held->blocks.block + held->blocks.count, 1);
		__builtin_prefetch(held->first + held->first_count, 1);
	}
	__builtin_prefetch(t->walk.open.slot, 1);
}

void
held_take(struct stage *stage, struct record *record)
{
	struct held *held = (struct held *)stage;
	struct message message;
	struct record kept;

	fetch(held);
	record_hold(&kept, record);
	block_list_add(&held->blocks, kept.block);
	if (held->first_count < held->blocks.count) {
		LIST_ADD(held->first, held->first_count, held->first_cap, held->session.count);
	}
	if (record->message != NULL && record->edit == NULL) {
		session_add_copy(&held->session, &kept.line, record->message, record->line.text);
	} else if (kept.kind == RECORD_BAD || kept.is_forgotten) {
		message.kind = kept.kind; /* and nothing else is read of it */
		session_add(&held->session, &kept.line, &message);
		held->session.entry[held->session.count - 1].is_forgotten = kept.is_forgotten;
	} else {
		session_add(&held->session, &kept.line, record_message(&kept, &message));
	}
	record_release(&kept);
}

void
held_init(struct held *held, void (*end)(struct stage *stage))
{
	*held = (struct held){.stage = {.take = held_take, .end = end}};
	session_init(&held->session);
}

/* The block that has the bytes, or NULL. Entries are mostly emitted in the order of the blocks, so
 * the search goes on where the last one ended. */
static struct block *
find_block(struct held *held, const char *raw)
{
	for (size_t i = 0; i < held->blocks.count; i++) {
		struct block *block = held->blocks.block[held->at];

		if (block != NULL && raw >= block->bytes && raw <= block->bytes + block->cap)
			return block;
		held->at = (held->at + 1) % held->blocks.count;
	}
	return NULL;
}

/* Makes record one of the entry, which may be as it was before. */
static void
make(struct held *held, const struct entry *entry, uint32_t index, enum record_state state,
    struct record *record)
{
	*record = (struct record){.kind = (enum record_kind)entry->kind,
	    .state = state,
	    .is_forgotten = entry->is_forgotten,
	    .line = {.raw = str_of(entry->raw, entry->len),
		.text = entry_text(entry),
		.number = index + 1,
		.place = entry->place,
		.continued = entry->is_continued}};
	if (state == RECORD_GIVEN)
		record->block = find_block(held, entry->raw);
}

void
held_record(struct held *held, uint32_t index, struct record *record)
{
	const struct entry *entry = &held->session.entry[index];

	make(held, entry, index, entry->is_changed ? RECORD_CHANGED : RECORD_GIVEN, record);
}

void
held_emit(struct held *held, uint32_t index)
{
	struct record record;

	held_record(held, index, &record);
	stage_emit(&held->stage, &record);
}

/* Emits the records that policies added before the entry; next is as in change_next_added. */
static void
emit_added(struct held *held, uint32_t entry, uint32_t *next)
{
	struct line nowhere = {.number = 0};
	const struct change *added;
	struct record record;

	while ((added = change_next_added(&held->session, entry, next)) != NULL) {
		record_make(&record, &nowhere, str_of(added->raw, added->len));
		stage_emit(&held->stage, &record);
	}
}

void
held_emit_all(struct held *held)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < held->session.count; i++) {
		emit_added(held, i, &next);
		if (!held->session.entry[i].is_dropped)
			held_emit(held, i);
	}
	emit_added(held, held->session.count, &next);
}

void
held_emit_given(struct held *held)
{
	for (uint32_t i = 0; i < held->session.count; i++) {
		struct entry entry = change_original(&held->session, i);
		struct record record;

		make(held, &entry, i, RECORD_GIVEN, &record);
		stage_emit(&held->stage, &record);
	}
}

/* Whether all entries of the block are before end. The newest block may get more records, unless it
 * is the copy of one. */
static bool
is_before(const struct held *held, size_t block, uint32_t end)
{
	if (block + 1 < held->first_count)
		return held->first[block + 1] <= end;
	return held->session.count <= end && held->blocks.block[block]->pool == NULL;
}

void
held_give_back(struct held *held, uint32_t end)
{
	struct block **block = held->blocks.block;

	for (; held->given < held->first_count && is_before(held, held->given, end);
	     held->given++) {
		block_drop(block[held->given]);
		block[held->given] = NULL;
	}
}

void
held_forget(struct held *held, uint32_t base)
{
	struct block_list *blocks = &held->blocks;
	size_t gone = 0, left;

	while (gone + 1 < held->first_count && held->first[gone + 1] <= base)
		block_drop(blocks->block[gone++]);
	left = held->first_count - gone;
	held->first_count = blocks->count = left;
	held->given -= held->given < gone ? held->given : gone;
	held->at = 0;
	LIST_DROP_FRONT(blocks->block, gone, left);
	LIST_DROP_FRONT(held->first, gone, left);
	for (size_t i = 0; i < left; i++)
		held->first[i] -= held->first[i] < base ? held->first[i] : base;
}

void
held_free(struct held *held)
{
	session_free(&held->session);
	block_list_free(&held->blocks);
	free(held->first);
}
