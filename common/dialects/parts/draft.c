#include "dialects/parts/draft.h"

#include "dialects/parts/text_part.h"
#include "json/scan.h"
#include "json/write.h"

void
draft_reset(struct draft *draft, struct str role)
{
	draft->read = RECORD_READ_OWN;
	draft->role = role;
	draft->spans = NULL;
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

static void
begin(struct buf *list)
{
	if (list->len > 0)
		buf_add_char(list, ',');
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

/* The place of the value from at on, to the end of the text. */
static struct draft_place
place_of(const struct buf *text, size_t at)
{
	struct json_value value = json_whole(str_rest(buf_str(text), at));

	return (struct draft_place){(uint32_t)at, value.len, value.type, value.escaped};
}

/* Adds the value, or the fallback. Returns its place. */
static struct draft_place
add_value(struct buf *text, struct json_value value)
{
	size_t at = text->len;

	if (value.type != JSON_ABSENT) {
		buf_add_str(text, json_span(value));
		return (struct draft_place){(uint32_t)at, value.len, value.type, value.escaped};
	}
	buf_add_str(text, STR("\"\""));
	return (struct draft_place){(uint32_t)at, 2, JSON_STRING, false};
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

	begin(to);
	call->value.at = (uint32_t)to->len;
	buf_add_str(to, STR("{\"id\":"));
	call->id = add_value(to, id);
	buf_add_str(to, STR(",\"type\":\"function\",\"function\":{\"name\":"));
	call->name = add_value(to, name);
	buf_add_str(to, STR(",\"arguments\":"));
	call->arguments.at = (uint32_t)to->len;
}

void
draft_set_arguments(struct draft *draft)
{
	struct draft_call *call = newest_call(draft);

	call->arguments = place_of(&draft->calls, call->arguments.at);
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
pick(const struct draft *draft, struct json_value block, struct json_value member[MEMBER_COUNT])
{
	static const struct str list[] = {MEMBER_TABLE(JSON_NAME_TEXT)};
	static struct json_names names;

	if (names.count == 0)
		JSON_NAMES_INIT(&names, list, MEMBER_COUNT);
	json_pick_in(block, &names, draft->spans, member);
}

static void
add_call(struct draft *draft, struct json_value block)
{
	struct json_value member[MEMBER_COUNT];

	pick(draft, block, member);
	draft_note(draft, PROVENANCE_CALL, block);
	draft_note(draft, PROVENANCE_ARGUMENTS, member[AT_input]);
	draft_open_call(draft, member[AT_id], member[AT_name]);
	json_write_json(&draft->calls, span_or(member[AT_input], STR("{}")));
	draft_set_arguments(draft);
	draft_copy_member(&draft->calls, STR("caller"), member[AT_caller]);
	draft_copy_member(&draft->calls, STR("cache_control"), member[AT_cache_control]);
	draft_close_call(draft);
}

/* Notes where the text of the last part stands, if a string can replace the part without loss. */
static void
note_text(struct draft *draft, struct json_value block)
{
	struct json_value text = text_part_only(block, draft->spans);

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
	begin(&draft->parts);
	buf_add_str(&draft->parts, json_span(block));
	draft->part_count++;
	note_text(draft, block);
}

void
draft_add_text(struct draft *draft, struct json_value string)
{
	draft_note(draft, PROVENANCE_PART, string);
	begin(&draft->parts);
	text_part_add(&draft->parts, string);
	draft->text_len = string.len;
	draft->is_text_escaped = string.escaped;
	draft->text_at = draft->parts.len - 1 - string.len;
	draft->part_count++;
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
	begin(&draft->calls);
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
	for (struct json_walk walk = json_walk_in(content, draft->spans); json_walk_next(&walk);)
		if (is_other == NULL || !is_other(walk.value))
			draft_add_block(draft, walk.value);
}

void
draft_add_content(struct draft *draft, struct json_value content)
{
	draft_add_rest(draft, content, NULL);
}

/* Begins a member of metadata. Returns its name, of plain bytes, as one that is read;
 * METADATA_COUNT: it is not. */
static enum metadata_name
begin_meta(struct draft *draft, struct str name)
{
	struct buf *to = &draft->metadata;
	size_t at;

	begin(to);
	at = to->len;
	buf_reserve(to, name.len + 3 + JSON_PADDING);
	buf_add_char(to, '"');
	buf_add_str(to, name);
	buf_add_str(to, STR("\":"));
	return metadata_name_of(
	    (struct json_value){to->ptr + at, (uint32_t)name.len + 2, JSON_STRING, false});
}

/* Notes the member of metadata whose value is at the place. */
static void
note_meta(struct draft *draft, enum metadata_name name, struct draft_place place)
{
	if (name == METADATA_COUNT)
		return;
	if (draft->meta_count < DRAFT_METAS)
		draft->meta[draft->meta_count] = (struct draft_meta){name, place};
	draft->meta_count++;
	if (name == METADATA_ID)
		draft->id_at = place.at;
}

static void
add_meta(struct draft *draft, struct str name, struct json_value value)
{
	enum metadata_name found = begin_meta(draft, name);

	note_meta(draft, found, add_value(&draft->metadata, value));
}

void
draft_set_result(struct draft *draft, struct json_value block)
{
	struct json_value member[MEMBER_COUNT], content;

	pick(draft, block, member);
	content = member[AT_content];
	buf_add_str(&draft->call_id, span_or(member[AT_tool_use_id], STR("\"\"")));
	if (content.type == JSON_NULL)
		content.type = JSON_ABSENT;
	add_value(&draft->content, content);
	draft->result = content;
	draft_note(draft, PROVENANCE_CALL, block);
	draft_note(draft, PROVENANCE_CONTENT, content);
	draft_copy_member(&draft->extra, STR("cache_control"), member[AT_cache_control]);
	if (member[AT_is_error].type == JSON_TRUE)
		draft_set_error(draft);
	else if (member[AT_is_error].type == JSON_FALSE)
		draft_set_success(draft);
}

void
draft_set_success(struct draft *draft)
{
	add_meta(draft, STR("is_error"), json_whole(STR("false")));
}

void
draft_set_error(struct draft *draft)
{
	add_meta(draft, STR("is_error"), json_whole(STR("true")));
	draft->read |= RECORD_READ_ERROR;
}

/* Notes that the reader has made the member. */
static void
note_made(struct draft *draft, enum metadata_name name, struct draft_place place)
{
	note_meta(draft, name, place);
	if (name == METADATA_PARENT_EXECUTION_ID)
		draft->read |= RECORD_READ_AGENT;
}

static void
add_made(struct draft *draft, struct str name, struct json_value value)
{
	enum metadata_name found = begin_meta(draft, name);

	note_made(draft, found, add_value(&draft->metadata, value));
}

void
draft_meta(struct draft *draft, struct str name, struct str json)
{
	add_made(draft, name, json_whole(json));
}

void
draft_meta_string(struct draft *draft, struct str name, struct str text)
{
	enum metadata_name found = begin_meta(draft, name);
	size_t at = draft->metadata.len;

	json_write_string(&draft->metadata, text);
	note_made(draft, found, place_of(&draft->metadata, at));
}

void
draft_meta_value(struct draft *draft, struct str name, struct json_value value)
{
	if (value.type > JSON_NULL)
		add_made(draft, name, value);
}

void
draft_meta_extra(struct draft *draft, struct str name, struct str json)
{
	if (draft->other_count == 1 && str_eq(json, buf_str(&draft->others)))
		return;
	if (draft->other_count++ == 0) {
		begin_meta(draft, name);
		draft->others_at = draft->metadata.len;
	}
	begin(&draft->others);
	buf_add_str(&draft->others, json);
}

struct json_value
draft_id(struct draft *draft)
{
	if (draft->id_at == 0)
		return (struct json_value){.type = JSON_ABSENT};
	return json_written(&draft->metadata, draft->id_at);
}

void
draft_set_summary(struct draft *draft)
{
	draft_meta_string(draft, STR("kind"), STR("summary"));
	draft_meta_string(draft, STR("scope"), STR("historical"));
}

void
draft_set_pinned(struct draft *draft)
{
	if (!draft->is_pinned)
		draft_meta(draft, STR("pinned"), STR("true"));
	draft->is_pinned = true;
}

void
draft_claim(struct draft *draft, struct str name, struct str json)
{
	add_meta(draft, name, json_whole(json));
	if (memchr(name.ptr, '\\', name.len) != NULL)
		draft->meta_count = DRAFT_METAS + 1;
	draft->read &= (uint8_t)~RECORD_READ_OWN;
}

void
draft_set_usage(struct draft *draft, struct json_value usage)
{
	if (usage.type != JSON_OBJECT)
		return;
	buf_set(&draft->usage, json_span(usage));
}
