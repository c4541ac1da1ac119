#include "dialects/draft/draft.h"

#include "dialects/parts/text_part.h"
#include "json/scan.h"
#include "json/write.h"

void
draft_reset(struct draft *draft, struct str role)
{
	draft->read = RECORD_READ_OWN;
	draft->role = role;
	draft->part_count = draft->call_count = draft->meta_count = 0;
	draft->has_other_call = false;
	draft->text_len = 0;
	draft->result.type = JSON_ABSENT;
	buf_reset(&draft->parts);
	buf_reset(&draft->calls);
	buf_reset(&draft->call_id);
	buf_reset(&draft->content);
	buf_reset(&draft->extra);
	buf_reset(&draft->metadata);
	buf_reset(&draft->others);
	draft->id_at = draft->other_count = 0;
	buf_reset(&draft->usage);
	draft->is_pinned = false;
	draft->origin.ptr = NULL;
	buf_reset(&draft->pieces);
}

void
draft_free(struct draft *draft)
{
	buf_free(&draft->parts);
	buf_free(&draft->calls);
	buf_free(&draft->call_id);
	buf_free(&draft->content);
	buf_free(&draft->extra);
	buf_free(&draft->metadata);
	buf_free(&draft->others);
	buf_free(&draft->usage);
	buf_free(&draft->pieces);
}

void
draft_copy_member(struct buf *to, struct str name, struct json_value value)
{
	if (value.type == JSON_ABSENT)
		return;
	buf_add_str(to, STR(",\""));
	buf_add_str(to, name);
	buf_add_str(to, STR("\":"));
	buf_add_str(to, json_span(value));
}

static struct str
span_or(struct json_value value, struct str fallback)
{
	return value.type == JSON_ABSENT ? fallback : json_span(value);
}

/* The call that is being written. */
static struct draft_call *
newest_call(struct draft *draft)
{
	return &draft->call[draft->call_count < MESSAGE_CALLS ? draft->call_count : MESSAGE_CALLS];
}

void
draft_open_call(struct draft *draft, struct json_value id, struct json_value name)
{
	struct draft_call *call = newest_call(draft);
	struct buf *to = &draft->calls;

	draft_text_next(to);
	call->value.at = (uint32_t)to->len;
	buf_add_str(to, STR("{\"id\":"));
	call->id = draft_text_add(to, id);
	buf_add_str(to, STR(",\"type\":\"function\",\"function\":{\"name\":"));
	call->name = draft_text_add(to, name);
	buf_add_str(to, STR(",\"arguments\":"));
	call->arguments.at = (uint32_t)to->len;
}

void
draft_set_arguments(struct draft *draft)
{
	struct draft_call *call = newest_call(draft);

	call->arguments = draft_text_place(&draft->calls, call->arguments.at);
	buf_add_char(&draft->calls, '}');
}

void
draft_close_call(struct draft *draft)
{
	struct draft_call *call = newest_call(draft);

	buf_add_char(&draft->calls, '}');
	call->value.len = (uint32_t)(draft->calls.len - call->value.at);
	call->value.type = JSON_OBJECT;
	draft->call_count++;
}

/* The members of blocks that are looked at. */
/* clang-format off */
#define MEMBER_TABLE(row) \
	row(AT_id, "id") row(AT_name, "name") row(AT_input, "input") \
	row(AT_caller, "caller") row(AT_cache_control, "cache_control") \
	row(AT_tool_use_id, "tool_use_id") row(AT_content, "content") \
	row(AT_is_error, "is_error")
/* clang-format on */

enum member { MEMBER_TABLE(JSON_NAME_INDEX) MEMBER_COUNT };

static void
pick(struct json_value block, struct json_value member[MEMBER_COUNT])
{
	static const struct str list[] = {MEMBER_TABLE(JSON_NAME_TEXT)};
	static struct json_names names;

	if (names.count == 0)
		JSON_NAMES_INIT(&names, list, MEMBER_COUNT);
	json_pick(block, &names, member);
}

static void
add_call(struct draft *draft, struct json_value block)
{
	struct json_value member[MEMBER_COUNT];

	pick(block, member);
	draft_note(draft, PROVENANCE_CALL, block);
	draft_note(draft, PROVENANCE_ARGUMENTS, member[AT_input]);
	draft_open_call(draft, member[AT_id], member[AT_name]);
	json_write_json(&draft->calls, span_or(member[AT_input], STR("{}")));
	draft_set_arguments(draft);
	draft_copy_member(&draft->calls, STR("caller"), member[AT_caller]);
	draft_copy_member(&draft->calls, STR("cache_control"), member[AT_cache_control]);
	draft_close_call(draft);
}

/* Notes the place of the last part's text, if a string can replace the part without loss. */
static void
note_text(struct draft *draft, struct json_value block)
{
	struct json_value text = text_part_only(block);

	draft->text_len = 0;
	if (text.type == JSON_ABSENT)
		return;
	draft->text_at = draft->parts.len - block.len + (size_t)(text.ptr - block.ptr);
	draft->text_len = text.len;
	draft->is_text_escaped = text.escaped;
}

void
draft_add_block(struct draft *draft, struct json_value block)
{
	if (json_has_type(block, STR("tool_use"))) {
		add_call(draft, block);
		return;
	}
	draft_note(draft, PROVENANCE_PART, block);
	draft_text_next(&draft->parts);
	buf_add_str(&draft->parts, json_span(block));
	draft->part_count++;
	note_text(draft, block);
}

void
draft_add_text(struct draft *draft, struct json_value string)
{
	draft_note(draft, PROVENANCE_PART, string);
	draft_text_next(&draft->parts);
	text_part_add(&draft->parts, string);
	draft->text_len = string.len;
	draft->is_text_escaped = string.escaped;
	draft->text_at = draft->parts.len - 1 - string.len;
	draft->part_count++;
}

struct str
draft_text(const struct draft *draft)
{
	if (draft->part_count != 1 || draft->text_len == 0)
		return STR("");
	return str_of(draft->parts.ptr + draft->text_at, draft->text_len);
}

void
draft_extend_text(struct draft *draft, struct json_value string)
{
	static const struct str tail = STR_INIT("\"}");

	if (draft->text_len == 0) {
		draft_add_text(draft, string);
		return;
	}
	draft->parts.len -= tail.len;
	buf_add_str(&draft->parts, json_inner(string));
	buf_add_str(&draft->parts, tail);
	draft->text_len += string.len - tail.len;
	draft->is_text_escaped |= string.escaped;
}

void
draft_add_call(struct draft *draft, struct json_value call)
{
	draft_text_next(&draft->calls);
	buf_add_str(&draft->calls, json_span(call));
	draft->has_other_call = true;
}

void
draft_add_rest(
    struct draft *draft, struct json_value content, bool (*is_other)(struct json_value block))
{
	if (content.type == JSON_STRING) {
		draft_add_text(draft, content);
		return;
	}
	if (content.type == JSON_OBJECT)
		draft_add_block(draft, content);
	if (content.type != JSON_ARRAY)
		return;
	for (struct json_walk walk = json_walk_of(content); json_walk_next(&walk);)
		if (is_other == NULL || !is_other(walk.value))
			draft_add_block(draft, walk.value);
}

void
draft_add_content(struct draft *draft, struct json_value content)
{
	draft_add_rest(draft, content, NULL);
}

void
draft_set_result(struct draft *draft, struct json_value block)
{
	struct json_value member[MEMBER_COUNT], content;

	pick(block, member);
	content = member[AT_content];
	buf_add_str(&draft->call_id, span_or(member[AT_tool_use_id], STR("\"\"")));
	if (content.type == JSON_NULL)
		content.type = JSON_ABSENT;
	draft_text_add(&draft->content, content);
	draft->result = content;
	draft_note(draft, PROVENANCE_CALL, block);
	draft_note(draft, PROVENANCE_CONTENT, content);
	draft_copy_member(&draft->extra, STR("cache_control"), member[AT_cache_control]);
	if (member[AT_is_error].type == JSON_TRUE)
		draft_set_error(draft);
	else if (member[AT_is_error].type == JSON_FALSE)
		draft_set_success(draft);
}
