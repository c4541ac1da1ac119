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
	draft->id_at = draft->extra_len = draft->extra_count = 0;
	buf_reset(&draft->usage);
	draft->is_pinned = false;
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
	buf_free(&draft->usage);
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

static void
copy_member(struct buf *to, struct json_value value, struct str name)
{
	if (value.type == JSON_ABSENT)
		return;
	buf_add_char(to, ',');
	add_member(to, name, json_span(value));
}

void
draft_copy_member(struct buf *to, struct json_value object, struct str name)
{
	copy_member(to, json_find(object, name), name);
}

static struct str
span_or(struct json_value value, struct str fallback)
{
	return value.type == JSON_ABSENT ? fallback : json_span(value);
}

/* The members of blocks that are looked at. */
/* clang-format off */
#define MEMBER_TABLE(row) \
	row(id) row(name) row(input) row(caller) row(cache_control) row(tool_use_id) row(content) \
	row(is_error)
/* clang-format on */

enum member {
#define MEMBER_INDEX(name) AT_##name,
	MEMBER_TABLE(MEMBER_INDEX) MEMBER_COUNT
};

static void
pick(const struct draft *draft, struct json_value block, struct json_value member[MEMBER_COUNT])
{
	static const struct str list[] = {
#define MEMBER_NAME(name) STR_INIT(#name),
	    MEMBER_TABLE(MEMBER_NAME)};
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
	begin(to);
	buf_add_str(to, STR("{\"id\":"));
	buf_add_str(to, span_or(member[AT_id], STR("\"\"")));
	buf_add_str(to, STR(",\"type\":\"function\",\"function\":{\"name\":"));
	buf_add_str(to, span_or(member[AT_name], STR("\"\"")));
	buf_add_str(to, STR(",\"arguments\":"));
	json_write_json(to, span_or(member[AT_input], STR("{}")));
	buf_add_char(to, '}');
	copy_member(to, member[AT_caller], STR("caller"));
	copy_member(to, member[AT_cache_control], STR("cache_control"));
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
	begin(&draft->parts);
	buf_add_str(&draft->parts, json_span(block));
	draft->part_count++;
	note_text(draft, block);
}

void
draft_add_text(struct draft *draft, struct json_value string)
{
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
	struct json_walk walk;

	if (content.type == JSON_STRING) {
		draft_add_text(draft, content);
		return;
	}
	if (content.type == JSON_OBJECT)
		draft_add_block(draft, content);
	if (content.type != JSON_ARRAY)
		return;
	json_walk_open_in(&walk, content, draft->spans);
	while (json_walk_next(&walk))
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
	copy_member(&draft->extra, member[AT_cache_control], STR("cache_control"));
	if (member[AT_is_error].type == JSON_TRUE)
		draft_set_error(draft);
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

/* Makes a list of the value at extra_at, unless it is one, and adds an element to it. */
static void
add_to_extra(struct draft *draft, struct str json)
{
	struct buf *metadata = &draft->metadata, rest = BUF_INIT;
	bool is_list = draft->extra_count > 1;
	size_t end = draft->extra_at + draft->extra_len, len = metadata->len;
	size_t from = is_list ? end : draft->extra_at; /* of a list, only what follows it moves */

	buf_add(&rest, metadata->ptr + from, len - from);
	metadata->len = is_list ? end - 1 : from;
	if (!is_list) {
		buf_add_char(metadata, '[');
		buf_add(metadata, rest.ptr, end - from);
	}
	buf_add_char(metadata, ',');
	buf_add_str(metadata, json);
	buf_add_char(metadata, ']');
	buf_add(metadata, rest.ptr + (end - from), len - end);
	buf_free(&rest);
	if (draft->id_at >= end)
		draft->id_at += metadata->len - len;
	draft->extra_len += metadata->len - len;
}

void
draft_meta_extra(struct draft *draft, struct str name, struct str json)
{
	if (draft->extra_count == 1 &&
	    str_eq(json, str_of(draft->metadata.ptr + draft->extra_at, draft->extra_len)))
		return;
	if (draft->extra_count > 0) {
		add_to_extra(draft, json);
	} else {
		draft_meta(draft, name, json);
		draft->extra_len = json.len;
		draft->extra_at = draft->metadata.len - json.len;
	}
	draft->extra_count++;
}

struct json_value
draft_id(struct draft *draft)
{
	if (draft->id_at == 0)
		return (struct json_value){.type = JSON_ABSENT};
	buf_pad(&draft->metadata);
	return json_value_at(draft->metadata.ptr + draft->id_at);
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

/* The value of that type from at on, to the end of buf. */
static struct draft_place
place_of(const struct buf *buf, size_t at, uint8_t type, bool is_escaped)
{
	return (struct draft_place){(uint32_t)at, (uint32_t)(buf->len - at), type, is_escaped};
}

static struct draft_place
write_content(const struct draft *draft, struct buf *buf)
{
	struct json_value result = draft->result;
	size_t at;

	buf_add_str(buf, STR(",\"content\":"));
	at = buf->len;
	if (draft->content.len > 0) {
		buf_add_str(buf, buf_str(&draft->content));
		return place_of(buf, at, result.type, result.escaped);
	} else if (draft->part_count == 0) {
		buf_add_str(buf, STR("null"));
	} else if (draft->part_count == 1 && draft->text_len > 0) {
		buf_add(buf, draft->parts.ptr + draft->text_at, draft->text_len);
		return place_of(buf, at, JSON_STRING, draft->is_text_escaped);
	} else {
		buf_add_char(buf, '[');
		buf_add_str(buf, buf_str(&draft->parts));
		buf_add_char(buf, ']');
		return place_of(buf, at, JSON_ARRAY, false);
	}
	return place_of(buf, at, JSON_ABSENT, false);
}

void
draft_write_metadata(const struct draft *draft, struct buf *buf)
{
	if (draft->metadata.len + draft->usage.len == 0)
		return;
	buf_add_char(buf, '{');
	buf_add_str(buf, buf_str(&draft->metadata));
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
		draft->extra.len + draft->metadata.len + draft->usage.len);
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
		buf_add_char(buf, '[');
		buf_add_str(buf, buf_str(&draft->calls));
		buf_add_char(buf, ']');
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
