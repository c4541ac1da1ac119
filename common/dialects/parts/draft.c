#include "dialects/parts/draft.h"

#include "dialects/parts/text_part.h"
#include "json/scan.h"
#include "json/write.h"

/* At most as many bytes are around what a draft has, with those that pad it. */
enum { AROUND = 256 };

void
draft_reset(struct draft *draft, struct str role)
{
	draft->read = RECORD_READ_OWN;
	draft->role = role;
	draft->spans = NULL;
	draft->part_count = 0;
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

static void
add_member(struct buf *to, struct str name, struct str json)
{
	buf_add_char(to, '"');
	buf_add_str(to, name);
	buf_add_str(to, STR("\":"));
	buf_add_str(to, json);
}

void
draft_copy_member(struct buf *to, struct str name, struct json_value value)
{
	if (value.type == JSON_ABSENT)
		return;
	buf_add_char(to, ',');
	add_member(to, name, json_span(value));
}

static struct str
span_or(struct json_value value, struct str fallback)
{
	return value.type == JSON_ABSENT ? fallback : json_span(value);
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
	struct buf *to = &draft->calls;

	pick(draft, block, member);
	draft_note(draft, PROVENANCE_CALL, block);
	draft_note(draft, PROVENANCE_ARGUMENTS, member[AT_input]);
	begin(to);
	buf_add_str(to, STR("{\"id\":"));
	buf_add_str(to, span_or(member[AT_id], STR("\"\"")));
	buf_add_str(to, STR(",\"type\":\"function\",\"function\":{\"name\":"));
	buf_add_str(to, span_or(member[AT_name], STR("\"\"")));
	buf_add_str(to, STR(",\"arguments\":"));
	json_write_json(to, span_or(member[AT_input], STR("{}")));
	buf_add_char(to, '}');
	draft_copy_member(to, STR("caller"), member[AT_caller]);
	draft_copy_member(to, STR("cache_control"), member[AT_cache_control]);
	buf_add_char(to, '}');
}

/* Notes where the text of the last part stands, if a string can replace the part without loss. */
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
draft_add_call(struct draft *draft, struct json_value call)
{
	begin(&draft->calls);
	buf_add_str(&draft->calls, json_span(call));
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

static void
add_meta(struct draft *draft, struct str name, struct str json)
{
	begin(&draft->metadata);
	add_member(&draft->metadata, name, json);
	if (str_eq(name, metadata_name_text(METADATA_ID)))
		draft->id_at = draft->metadata.len - json.len;
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
	buf_add_str(&draft->content, span_or(content, STR("\"\"")));
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
	add_meta(draft, STR("is_error"), STR("false"));
}

void
draft_set_error(struct draft *draft)
{
	add_meta(draft, STR("is_error"), STR("true"));
	draft->read |= RECORD_READ_ERROR;
}

void
draft_meta(struct draft *draft, struct str name, struct str json)
{
	add_meta(draft, name, json);
	if (str_eq(name, metadata_name_text(METADATA_PARENT_EXECUTION_ID)))
		draft->read |= RECORD_READ_AGENT;
}

void
draft_meta_string(struct draft *draft, struct str name, struct str text)
{
	draft_meta(draft, name, STR(""));
	json_write_string(&draft->metadata, text);
}

void
draft_meta_value(struct draft *draft, struct str name, struct json_value value)
{
	if (value.type != JSON_ABSENT && value.type != JSON_NULL)
		draft_meta(draft, name, json_span(value));
}

void
draft_meta_extra(struct draft *draft, struct str name, struct str json)
{
	if (draft->other_count == 1 && str_eq(json, buf_str(&draft->others)))
		return;
	if (draft->other_count++ == 0) {
		draft_meta(draft, name, STR(""));
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
	add_meta(draft, name, json);
	draft->read &= (uint8_t)~RECORD_READ_OWN;
}

void
draft_set_usage(struct draft *draft, struct json_value usage)
{
	if (usage.type != JSON_OBJECT)
		return;
	buf_set(&draft->usage, json_span(usage));
}

bool
draft_is_empty(const struct draft *draft)
{
	return draft->part_count == 0 && draft->calls.len == 0 && draft->content.len == 0;
}

static void
add_list(struct buf *to, const struct buf *elements)
{
	buf_add_char(to, '[');
	buf_add_str(to, buf_str(elements));
	buf_add_char(to, ']');
}

/* The value of that type from at on, to the end of buf. */
static struct draft_place
place_of(const struct buf *buf, size_t at, uint8_t type, bool is_escaped)
{
	return (struct draft_place){(uint32_t)at, (uint32_t)(buf->len - at), type, is_escaped};
}

static struct draft_place
write_content(const struct draft *draft, struct buf *buf)
{
	uint8_t type = JSON_ABSENT;
	bool is_escaped = false;
	size_t at;

	buf_add_str(buf, STR(",\"content\":"));
	at = buf->len;
	if (draft->content.len > 0) {
		buf_add_str(buf, buf_str(&draft->content));
		type = draft->result.type;
		is_escaped = draft->result.escaped;
	} else if (draft->part_count == 0) {
		buf_add_str(buf, STR("null"));
	} else if (draft->part_count == 1 && draft->text_len > 0) {
		buf_add(buf, draft->parts.ptr + draft->text_at, draft->text_len);
		type = JSON_STRING;
		is_escaped = draft->is_text_escaped;
	} else {
		add_list(buf, &draft->parts);
		type = JSON_ARRAY;
	}
	return place_of(buf, at, type, is_escaped);
}

void
draft_write_metadata(const struct draft *draft, struct buf *buf)
{
	size_t at = draft->other_count > 0 ? draft->others_at : draft->metadata.len;

	if (draft->metadata.len + draft->usage.len == 0)
		return;
	buf_add_char(buf, '{');
	buf_add(buf, draft->metadata.ptr, at);
	if (draft->other_count > 1)
		add_list(buf, &draft->others);
	else
		buf_add_str(buf, buf_str(&draft->others));
	if (at < draft->metadata.len)
		buf_add_str(buf, str_rest(buf_str(&draft->metadata), at));
	if (draft->usage.len > 0) {
		if (draft->metadata.len > 0)
			buf_add_char(buf, ',');
		add_member(buf, STR("usage"), buf_str(&draft->usage));
	}
	buf_add_char(buf, '}');
}

void
draft_write(const struct draft *draft, struct buf *buf, struct draft_place place[MESSAGE_LONG])
{
	size_t at;

	place[1] = place[2] = (struct draft_place){.type = JSON_ABSENT};
	buf_reserve(buf,
	    AROUND + draft->parts.len + draft->calls.len + draft->call_id.len + draft->content.len +
		draft->extra.len + draft->metadata.len + draft->others.len + draft->usage.len);
	buf_add_char(buf, '{');
	add_member(buf, STR("role"), STR("\""));
	buf_add_str(buf, draft->role);
	buf_add_char(buf, '"');
	if (draft->call_id.len > 0) {
		buf_add_char(buf, ',');
		add_member(buf, STR("tool_call_id"), buf_str(&draft->call_id));
	}
	place[0] = write_content(draft, buf);
	if (draft->calls.len > 0) {
		buf_add_str(buf, STR(",\"tool_calls\":"));
		at = buf->len;
		add_list(buf, &draft->calls);
		place[1] = place_of(buf, at, JSON_ARRAY, false);
	}
	buf_add_str(buf, buf_str(&draft->extra));
	if (draft->metadata.len + draft->usage.len > 0) {
		buf_add_str(buf, STR(",\"metadata\":"));
		at = buf->len;
		draft_write_metadata(draft, buf);
		place[2] = place_of(buf, at, JSON_OBJECT, false);
	}
	buf_add_char(buf, '}');
}
