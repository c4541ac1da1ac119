#include "policy/view/merge_runs.h"

#include "base/number.h"
#include "data/message/part.h"
#include "json/string.h"
#include "json/write.h"

#define PART_START "{\"type\":\"text\",\"text\":"

enum { GLUE = 64 }; /* bytes at most that joining adds beside the contents and a separator */

static bool
is_string(const struct message *message)
{
	return message->content.type == JSON_STRING;
}

/* Whether the parts of a content are neither calls, results nor thinking. */
static bool
has_plain_parts(struct json_value content)
{
	struct part part;

	for (struct json_walk walk = json_walk_of(content); json_walk_next(&walk);) {
		part_read(walk.value, &part);
		if (part.kind == PART_CALL || part.kind == PART_RESULT || part_is_thinking(&part) ||
		    part_is_signed(&part))
			return false;
	}
	return true;
}

/* Whether the message may be in a run at all. */
static bool
may_join(const struct message *message)
{
	if (message->role == ROLE_OTHER || message->role == ROLE_TOOL ||
	    message_is(message, METADATA_PINNED) || message_is(message, METADATA_COMPACTED) ||
	    message_is_artifact(message))
		return false;
	if (message->tool_call_id.type > JSON_NULL || message->result_text.type > JSON_NULL ||
	    message->refusal.type > JSON_NULL || message->reasoning.type > JSON_NULL ||
	    message_has_calls(message))
		return false;
	return is_string(message) ||
	    (message->content.type == JSON_ARRAY && has_plain_parts(message->content));
}

static bool
is_same(struct json_value a, struct json_value b)
{
	if (a.type <= JSON_NULL || b.type <= JSON_NULL)
		return a.type <= JSON_NULL && b.type <= JSON_NULL;
	return str_eq(json_span(a), json_span(b));
}

static bool
has_same_metadata(const struct message *a, const struct message *b)
{
	static const bool may_differ[METADATA_COUNT] = {[METADATA_ID] = true,
	    [METADATA_PARENT_ID] = true,
	    [METADATA_TIMESTAMP] = true,
	    [METADATA_TOOL_NAME] = true,
	    [METADATA_USAGE] = true,
	    [METADATA_TOKENS] = true,
	    [METADATA_MODEL] = true};

	for (unsigned i = 0; i < METADATA_COUNT; i++)
		if (!may_differ[i] && !is_same(a->meta[i], b->meta[i]))
			return false;
	return true;
}

/* Returns false when there are too many. */
static bool
read_members(const struct message *message, struct merge_runs_members *members)
{
	static const struct str others[] = {STR_INIT("content"), STR_INIT("metadata"),
	    STR_INIT("_metadata"), STR_INIT("id"), STR_INIT("parentId"), STR_INIT("createdAt")};

	members->count = 0;
	for (struct json_walk walk = json_walk_of(message->value); json_walk_next(&walk);) {
		if (walk.value.type == JSON_NULL || JSON_IS_ONE_OF(walk.name, others))
			continue;
		if (members->count == MERGE_RUNS_MEMBERS)
			return false;
		members->name[members->count] = walk.name;
		members->value[members->count++] = walk.value;
	}
	return true;
}

static bool
has_member(
    const struct merge_runs_members *members, struct json_value name, struct json_value value)
{
	for (unsigned i = 0; i < members->count; i++)
		if (is_same(members->name[i], name))
			return is_same(members->value[i], value);
	return false;
}

/* Whether the first message of the run has all members of the message. Its own are read once, since
 * it may be long, and have many neighbours. */
static bool
has_its_members(struct merge_runs *merge, const struct message *message)
{
	struct merge_runs_members members;

	if (!merge->has_members && !read_members(&merge->first, &merge->members))
		return false;
	merge->has_members = true;
	if (!read_members(message, &members))
		return false;
	for (unsigned i = 0; i < members.count; i++)
		if (!has_member(&merge->members, members.name[i], members.value[i]))
			return false;
	return true;
}

/* Adds edits that remove the members of metadata about the first message alone. */
static void
remove_counts(const struct message *message, struct json_edit *edit)
{
	json_edit_remove_all(edit, message->metadata, metadata_name_text(METADATA_USAGE));
	json_edit_remove_all(edit, message->metadata, metadata_name_text(METADATA_TOKENS));
}

/* The length of the first message's text without its content, as it will be written. */
static size_t
rest_of(struct merge_runs *merge)
{
	struct json_pieces pieces;
	size_t len = 0;

	json_edit_reset(&merge->edit, merge->record.line.text);
	remove_counts(&merge->first, &merge->edit);
	json_pieces_open(&pieces, &merge->edit);
	while (json_pieces_next(&pieces))
		len += pieces.piece.len;
	return len - merge->first.content.len;
}

/* Whether the line stays short enough when the message is joined. */
static bool
has_room(struct merge_runs *merge, const struct message *message)
{
	size_t content = merge->content.len > 0 ? merge->content.len + 1 : merge->first.content.len;

	if (merge->content.len == 0)
		merge->rest = rest_of(merge);
	return merge->rest + content + merge->separator.len + message->content.len + GLUE <=
	    merge->line_max;
}

/* The elements of an array, as JSON. */
static struct str
elements_of(struct json_value array)
{
	return str_trim(json_inner(array));
}

/* Makes an array of the content of the run. */
static void
become_parts(struct merge_runs *merge)
{
	struct buf parts = BUF_INIT;

	buf_add_char(&parts, '[');
	if (merge->content.len > 1) {
		buf_add_str(&parts, STR(PART_START));
		buf_add_str(&parts, buf_str(&merge->content));
		buf_add_str(&parts, STR("\"}"));
	}
	buf_free(&merge->content);
	merge->content = parts;
	merge->is_parts = true;
}

static void
begin_content(struct merge_runs *merge)
{
	struct json_value content = merge->first.content;

	merge->is_parts = content.type == JSON_ARRAY;
	if (merge->is_parts) {
		buf_add_char(&merge->content, '[');
		buf_add_str(&merge->content, elements_of(content));
	} else {
		buf_add(&merge->content, content.ptr, content.len - 1);
	}
}

static void
add_parts(struct merge_runs *merge, const struct message *message)
{
	struct buf *out = &merge->content;
	struct str parts =
	    is_string(message) ? json_span(message->content) : elements_of(message->content);

	if (parts.len == (is_string(message) ? 2 : 0))
		return;
	if (out->len > 1)
		buf_add_char(out, ',');
	if (is_string(message))
		buf_add_str(out, STR(PART_START));
	buf_add_str(out, parts);
	if (is_string(message))
		buf_add_char(out, '}');
}

static void
join(struct merge_runs *merge, const struct message *message)
{
	if (merge->content.len == 0)
		begin_content(merge);
	if (!merge->is_parts && !is_string(message))
		become_parts(merge);
	if (merge->is_parts) {
		add_parts(merge, message);
	} else {
		struct str text = json_inner(message->content);

		if (merge->content.len > 1 && text.len > 0)
			buf_add_str(&merge->content, buf_str(&merge->separator));
		buf_add_str(&merge->content, text);
	}
	merge->joined++;
}

/* Emits the run. */
static void
let_go(struct merge_runs *merge)
{
	struct json_edit *edit = &merge->edit;

	if (!merge->is_holding)
		return;
	if (merge->content.len > 0) {
		buf_add_char(&merge->content, merge->is_parts ? ']' : '"');
		json_edit_reset(edit, merge->record.line.text);
		json_edit_replace(edit, json_span(merge->first.content), buf_str(&merge->content));
		remove_counts(&merge->first, edit);
		merge->record.edit = edit;
		if (merge->record.state == RECORD_GIVEN)
			merge->record.state = RECORD_CHANGED;
	}
	if (!fault_is_set(merge->stage.fault))
		stage_emit_held(&merge->stage, &merge->record);
	record_release(&merge->record);
	buf_reset(&merge->content);
	merge->is_holding = false;
}

static void
hold(struct merge_runs *merge, const struct record *record, const struct message *message)
{
	record_hold(&merge->record, record);
	if (merge->record.line.text.ptr == record->line.text.ptr)
		merge->first = *message;
	else
		message_reread(&merge->first, merge->record.line.text);
	merge->has_members = false;
	merge->is_holding = true;
}

static void
take(struct stage *stage, struct record *record)
{
	struct merge_runs *merge = (struct merge_runs *)stage;
	const struct message *message;
	struct message read;
	bool joins;

	if (record->kind != RECORD_MESSAGE) {
		let_go(merge);
		stage_emit(stage, record);
		return;
	}
	record_settle(record, &merge->settled);
	message = record_message(record, &read);
	joins = may_join(message);
	if (joins && merge->is_holding && message->role == merge->first.role &&
	    has_same_metadata(&merge->first, message) && has_its_members(merge, message) &&
	    has_room(merge, message)) {
		join(merge, message);
		return;
	}
	let_go(merge);
	if (joins)
		hold(merge, record, message);
	else
		stage_emit(stage, record);
}

static void
end(struct stage *stage)
{
	let_go((struct merge_runs *)stage);
}

void
merge_runs_init(struct merge_runs *merge, struct str separator, uint64_t line_max)
{
	*merge = (struct merge_runs){
	    .stage = {.take = take, .end = end}, .line_max = number_least(line_max, UINT32_MAX)};
	json_write_escaped(&merge->separator, separator);
}

void
merge_runs_free(struct merge_runs *merge)
{
	if (merge->is_holding)
		record_release(&merge->record);
	json_edit_free(&merge->edit);
	buf_free(&merge->separator);
	buf_free(&merge->content);
	buf_free(&merge->settled);
}
