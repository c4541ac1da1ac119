#include "dialects/load/load_claude.h"

#include <stdlib.h>

#include "base/list.h"
#include "dialects/load/load_chain.h"
#include "json/string.h"

static uint32_t
call_id(struct load_file *file, struct json_value id)
{
	return load_file_id(file, json_hash(id, hash_seed(HASH_CALL_ID)));
}

static void
add_block(struct load_file *file, struct json_value block)
{
	struct load_file_node *node = load_file_last(file);
	struct json_value id = json_find(block, STR("id"));
	struct json_value answered = json_find(block, STR("tool_use_id"));
	struct json_value signature = json_find(block, STR("signature"));

	if (json_has_type(block, STR("tool_use")) && id.type == JSON_STRING) {
		LIST_ADD(file->call, file->call_count, file->call_cap,
		    (struct load_file_call){file->count - 1, call_id(file, id)});
	} else if (json_has_type(block, STR("tool_result")) && answered.type == JSON_STRING) {
		node->group = call_id(file, answered);
		node->flags |= LOAD_IS_RESULT;
	} else if (json_has_type(block, STR("thinking")) && signature.type == JSON_STRING &&
	    signature.len > 2 && json_is(json_find(block, STR("thinking")), STR(""))) {
		load_file_blame(file, VIOLATION_EMPTY_THINKING, node->line, json_span(signature));
	}
}

/* Notes which records a compaction keeps: their ids, and of a segment its two ends. */
static void
add_kept(struct load_file *file, struct json_value metadata)
{
	struct json_value segment = json_find(metadata, STR("preservedSegment"));
	struct json_value kept = json_find(metadata, STR("preservedMessages"));

	for (struct json_walk walk = json_walk_list(json_find(kept, STR("uuids")));
	     json_walk_next(&walk);) {
		uint32_t id = load_chain_id(file, walk.value), pair[2] = {id, id};

		buf_add(&file->kept, pair, sizeof pair);
	}
	if (segment.type == JSON_OBJECT) {
		uint32_t pair[2] = {load_chain_id(file, json_find(segment, STR("headUuid"))),
		    load_chain_id(file, json_find(segment, STR("tailUuid")))};

		buf_add(&file->kept, pair, sizeof pair);
	}
}

/* Notes the record to which the user went, as the client notes it with the last prompt. */
static void
add_checkpoint(struct load_file *file, struct json_value record)
{
	struct load_file_checkpoint *checkpoint = &file->checkpoint;
	struct json_value leaf = json_find(record, STR("leafUuid"));
	bool is_explicit = json_find(record, STR("explicit")).type == JSON_TRUE;

	checkpoint->is_there |= leaf.type != JSON_ABSENT;
	if (leaf.type == JSON_STRING || (leaf.type == JSON_NULL && is_explicit)) {
		checkpoint->id = load_chain_id(file, leaf);
		checkpoint->is_explicit = is_explicit;
		checkpoint->node = file->count - 1;
		load_file_quote(file, leaf);
	}
}

void
load_claude_add(struct load_file *file, struct json_value record)
{
	struct load_file_node *node = load_file_last(file);
	struct json_value message = json_find(record, STR("message"));
	struct json_value id = json_find(message, STR("id"));

	if (json_has_type(record, STR("last-prompt")))
		add_checkpoint(file, record);
	if ((node->flags & LOAD_IN_CHAIN) == 0)
		return;
	file->checkpoint.is_explicit = false;
	if (json_has_type(record, STR("assistant")) && id.type == JSON_STRING)
		node->group = load_file_id(file, json_hash(id, hash_seed(HASH_MESSAGE_ID)));
	for (struct json_walk walk = json_walk_list(json_find(message, STR("content")));
	     json_walk_next(&walk);)
		add_block(file, walk.value);
	if ((node->flags & LOAD_IS_ROOT) != 0) {
		file->checkpoint.id = 0;
		buf_reset(&file->kept); /* the last compaction is the one that counts */
		add_kept(file, json_find(record, STR("compactMetadata")));
	}
}

/* Reaches the records from the tail up to the head of each segment that is kept. */
static void
reach_kept(struct load_file *file)
{
	uint32_t pair[2];

	for (size_t at = 0; at < file->kept.len; at += sizeof pair) {
		uint32_t node;

		memcpy(pair, file->kept.ptr + at, sizeof pair);
		for (node = load_file_named(file, pair[1]);
		     node != LOAD_NONE && (file->node[node].flags & LOAD_IS_REACHED) == 0;
		     node = load_file_named(file, file->node[node].parent)) {
			file->node[node].flags |= LOAD_IS_REACHED;
			if (file->node[node].id == pair[0])
				break;
		}
	}
}

/* Reaches the nodes whose group has its bit in the set: results, or lines of answers. */
static void
reach_groups(struct load_file *file, const uint8_t *groups, uint8_t bit, unsigned is_result)
{
	for (uint32_t i = 0; i < file->count; i++)
		if (file->node[i].id != 0 && (file->node[i].flags & LOAD_IN_CHAIN) != 0 &&
		    (file->node[i].flags & LOAD_IS_RESULT) == is_result &&
		    file->node[i].group != 0 && (groups[file->node[i].group] & bit) != 0)
			file->node[i].flags |= LOAD_IS_REACHED;
}

void
load_claude_reach(struct load_file *file)
{
	enum { ANSWER = 1, CALL = 2 };
	uint8_t *groups = load_file_marks(file);

	reach_kept(file);
	for (uint32_t i = 0; i < file->count; i++)
		if ((file->node[i].flags & (LOAD_IS_REACHED | LOAD_IS_RESULT)) == LOAD_IS_REACHED &&
		    file->node[i].group != 0)
			groups[file->node[i].group] |= ANSWER;
	reach_groups(file, groups, ANSWER, 0);
	for (uint32_t i = 0; i < file->call_count; i++)
		if ((file->node[file->call[i].node].flags & LOAD_IS_REACHED) != 0)
			groups[file->call[i].id] |= CALL;
	reach_groups(file, groups, CALL, LOAD_IS_RESULT);
	free(groups);
}
