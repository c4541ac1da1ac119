#include "dialects/draft/draft.h"

#include "json/members.h"

static void
add_list(struct buf *to, const struct buf *elements)
{
	buf_add_char(to, '[');
	buf_add_str(to, buf_str(elements));
	buf_add_char(to, ']');
}

/* The value of that type from at on, to the end of buf. */
static struct json_value
value_of(const struct buf *buf, size_t at, uint8_t type, bool is_escaped)
{
	return (struct json_value){
	    buf->ptr + at, (uint32_t)(buf->len - at), type, (uint8_t)is_escaped};
}

static struct json_value
write_content(const struct draft *draft, struct buf *buf)
{
	bool is_escaped = false;
	uint8_t type = JSON_NULL;
	size_t at;

	buf_add_str(buf, STR(",\"content\":"));
	at = buf->len;
	if (draft->content.len > 0) {
		buf_add_str(buf, buf_str(&draft->content));
		type = draft->result.type == JSON_ABSENT ? JSON_STRING : draft->result.type;
		is_escaped = draft->result.escaped;
	} else if (draft->part_count == 0) {
		buf_add_str(buf, STR("null"));
	} else if (draft_text(draft).len > 0) {
		buf_add_str(buf, draft_text(draft));
		type = JSON_STRING;
		is_escaped = draft->is_text_escaped;
	} else {
		add_list(buf, &draft->parts);
		type = JSON_ARRAY;
	}
	return value_of(buf, at, type, is_escaped);
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
		buf_add_str(buf, STR("\"usage\":"));
		buf_add_str(buf, buf_str(&draft->usage));
	}
	buf_add_char(buf, '}');
}

/* The value at the place in the text at text. */
static struct json_value
value_in(const char *text, struct draft_text_value place)
{
	return (struct json_value){text + place.at, place.len, place.type, place.escaped};
}

/* Sets the calls of the message, whose text is at text. */
static void
set_calls(const struct draft *draft, const char *text, struct message *made)
{
	if (draft->has_other_call || draft->call_count > MESSAGE_CALLS)
		return;
	made->noted = made->tool_calls.ptr;
	made->call_count = draft->call_count;
	for (unsigned i = 0; i < draft->call_count; i++) {
		const struct draft_call *call = &draft->call[i];

		made->call[i] =
		    (struct tool_call){value_in(text, call->value), value_in(text, call->id),
			value_in(text, call->name), value_in(text, call->arguments)};
	}
}

/* Sets the members of the message's metadata, which is at its end. Returns false when they are not
 * all known. */
static bool
set_metadata(const struct draft *draft, struct message *made)
{
	const char *text = made->metadata.ptr + 1;
	struct json_value usage = made->metadata;
	size_t others = draft->others.len + (draft->other_count > 1 ? 2 : 0);

	usage.ptr = usage.ptr + usage.len - 1 - draft->usage.len;
	usage.len = (uint32_t)draft->usage.len;
	for (unsigned i = 0; i < draft->meta_count && i < DRAFT_METAS; i++) {
		const struct draft_meta *meta = &draft->meta[i];
		bool is_behind = draft->other_count > 0 && meta->value.at >= draft->others_at;
		struct json_value *to = &made->meta[meta->name];

		if (to->type == JSON_ABSENT)
			*to = value_in(text + (is_behind ? others : 0), meta->value);
	}
	if (draft->usage.len > 0 && made->meta[METADATA_USAGE].type == JSON_ABSENT)
		made->meta[METADATA_USAGE] = usage;
	return draft->meta_count <= DRAFT_METAS;
}

/* Sets the rest of the message, in which the values of the members are set. */
static bool
set_made(const struct draft *draft, struct message *made)
{
	if (made->tool_calls.type == JSON_ARRAY)
		set_calls(draft, made->tool_calls.ptr + 1, made);
	if (made->metadata.type == JSON_OBJECT && !set_metadata(draft, made))
		return false;
	message_set_made(made);
	return true;
}

/* More bytes than are ever around the texts of a draft and after them. */
enum { AROUND = 256 };

/* Makes room for the whole message, so that it does not move. */
static void
reserve(const struct draft *draft, struct buf *buf)
{
	buf_reserve(buf,
	    AROUND + draft->parts.len + draft->calls.len + draft->call_id.len + draft->content.len +
		draft->extra.len + draft->metadata.len + draft->others.len + draft->usage.len);
}

bool
draft_write(const struct draft *draft, struct buf *buf, struct message *made)
{
	size_t start = buf->len, at;

	reserve(draft, buf);
	memset(made, 0, offsetof(struct message, call));
	made->spans = NULL;
	made->may_hold = false;
	buf_add_str(buf, STR("{\"role\":"));
	at = buf->len;
	buf_add_char(buf, '"');
	buf_add_str(buf, draft->role);
	buf_add_char(buf, '"');
	made->role_value = value_of(buf, at, JSON_STRING, false);
	if (draft->call_id.len > 0) {
		buf_add_str(buf, STR(",\"tool_call_id\":"));
		at = buf->len;
		buf_add_str(buf, buf_str(&draft->call_id));
		made->tool_call_id = json_whole(str_rest(buf_str(buf), at));
	}
	made->content = write_content(draft, buf);
	if (draft->calls.len > 0) {
		buf_add_str(buf, STR(",\"tool_calls\":"));
		at = buf->len;
		add_list(buf, &draft->calls);
		made->tool_calls = value_of(buf, at, JSON_ARRAY, false);
	}
	buf_add_str(buf, buf_str(&draft->extra));
	if (draft->metadata.len + draft->usage.len > 0) {
		buf_add_str(buf, STR(",\"metadata\":"));
		at = buf->len;
		draft_write_metadata(draft, buf);
		made->metadata = value_of(buf, at, JSON_OBJECT, false);
	}
	buf_add_char(buf, '}');
	made->value = value_of(buf, start, JSON_OBJECT, false);
	return buf->len - start <= UINT32_MAX && set_made(draft, made);
}
