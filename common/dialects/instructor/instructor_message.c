#include "dialects/instructor/instructor_message.h"

#include "data/message/source_record.h"
#include "data/message/texts.h"
#include "dialects/openai/openai_part.h"
#include "dialects/parts/text_part.h"
#include "json/string.h"
#include "json/write.h"
#include "policy/normalize/mend.h"

#define OURS "x_instructor"

/* Whether instructor reads the part: its parts are those of OpenAI. */
static bool
is_own_part(struct json_value value)
{
	static const struct str types[] = {
	    STR_INIT("image_url"), STR_INIT("file"), STR_INIT("input_audio")};
	struct json_value type = json_find(value, STR("type"));

	if (value.type == JSON_STRING)
		return true;
	if (json_is(type, STR("text")))
		return json_find(value, STR("text")).type == JSON_STRING;
	return JSON_IS_ONE_OF(type, types);
}

/* Whether instructor reads the content: a message without content, or whose content is null, is a
 * message only by its _metadata (instructor-php 2.7, Message::isMessage). */
static bool
is_own_content(const struct message *message)
{
	struct json_value content = message->content;

	if (content.type <= JSON_NULL)
		return json_find(message->value, STR("_metadata")).type > JSON_NULL;
	if (content.type != JSON_ARRAY)
		return content.type == JSON_STRING;
	for (struct json_walk walk = json_walk_of(content); json_walk_next(&walk);)
		if (!is_own_part(walk.value))
			return false;
	return true;
}

/* Whether instructor reads the call: its name and arguments are members of the call or of its
 * function. */
static bool
is_own_call(const struct tool_call *call)
{
	return (call->id.type <= JSON_NULL || call->id.type == JSON_STRING) &&
	    !json_has(call->value, STR("custom")) && !json_has(call->value, STR("input"));
}

static bool
is_own_calls(const struct message *message)
{
	struct tool_call call;

	for (struct call_walk walk = call_walk_of(message); call_walk_next(&walk, &call);)
		if (!is_own_call(&call))
			return false;
	return true;
}

/* Whether the message names its call as instructor does, and not in a member of its own. */
static bool
is_own_result(const struct message *message)
{
	return message->role != ROLE_TOOL ||
	    json_find(message->value, STR("tool_result")).type > JSON_NULL ||
	    !json_has(message->value, STR("tool_call_id"));
}

static bool
is_own(const struct message *message)
{
	return is_own_content(message) && is_own_calls(message) && is_own_result(message);
}

/* A member that is put into metadata. */
struct member {
	struct str name;
	struct str json;
};

enum { MEMBERS_MAX = 4 };

static struct str
section_of(const struct instructor_message_place *place)
{
	return place->section.type == JSON_STRING ? json_span(place->section) : STR("\"messages\"");
}

/* Whether the section must be written, because the message would otherwise be in another one: a
 * result is in the section of its call. */
static bool
needs_section(const struct message *message, const struct instructor_message_place *place)
{
	struct json_value said = message->meta[METADATA_SECTION];

	if (message->role == ROLE_TOOL && said.type != JSON_STRING && place->many)
		return true;
	return !str_eq(
	    said.type == JSON_STRING ? json_span(said) : STR("\"messages\""), section_of(place));
}

/* The value of x_instructor for the message, as JSON that lives as long as edit; "" when there is
 * none. metadata is the value that gets members, if any. */
static struct str
write_ours(struct json_edit *edit, const struct message *message, struct json_value metadata,
    bool gets_members)
{
	struct buf object = BUF_INIT;
	struct json_writer w;
	struct str ours = STR("");

	json_begin(&w, &object, '{');
	json_member_value(&w, STR("section"), json_find(message->metadata, STR("section")));
	if (gets_members && (metadata.type != JSON_OBJECT || !json_has_elements(metadata)))
		json_member_value(&w, STR("metadata"), metadata);
	if (!is_own(message))
		json_member_bool(&w, STR("verbatim"), true);
	json_close(&w);
	if (object.len > 2)
		ours = json_edit_keep(edit, buf_str(&object));
	buf_free(&object);
	return ours;
}

/* Puts the members into metadata, and makes metadata of them where there is none. */
static void
put_members(struct json_edit *edit, const struct message *message, const struct member *list,
    unsigned count, struct json_value replaced)
{
	struct buf object = BUF_INIT;
	struct json_writer w;

	json_begin(&w, &object, '{');
	for (unsigned i = 0; i < count; i++) {
		struct json_value said = json_absent;

		if (message->metadata.type != JSON_OBJECT) {
			json_member_raw(&w, list[i].name, list[i].json);
			continue;
		}
		said = json_find(message->metadata, list[i].name);
		if (said.type != JSON_ABSENT)
			json_edit_replace(edit, json_span(said), list[i].json);
		else
			json_edit_add(edit, message->metadata, list[i].name, list[i].json);
	}
	json_close(&w);
	if (message->metadata.type != JSON_OBJECT && replaced.type != JSON_ABSENT)
		json_edit_replace(
		    edit, json_span(replaced), json_edit_keep(edit, buf_str(&object)));
	else if (message->metadata.type != JSON_OBJECT)
		json_edit_add(edit, message->value, STR("_metadata"), buf_str(&object));
	buf_free(&object);
}

static void
add_missing(
    struct json_edit *edit, const struct message *message, struct str name, struct json_value value)
{
	if (value.type > JSON_NULL && !json_has(message->value, name))
		json_edit_add(edit, message->value, name, json_span(value));
}

bool
instructor_message_read(struct json_edit *edit, const struct message *message,
    const struct instructor_message_place *place)
{
	struct json_value metadata = message->metadata;
	bool adds_label = place->label.type > JSON_NULL && !json_has(metadata, STR("label"));
	struct member list[MEMBERS_MAX];
	unsigned count = 0;
	struct str ours;

	add_missing(edit, message, STR("id"), place->id);
	add_missing(edit, message, STR("parentId"), place->parent_id);
	add_missing(edit, message, STR("createdAt"), place->timestamp);
	if (place->session.type == JSON_STRING && !json_has(metadata, STR("session_id")))
		list[count++] = (struct member){STR("session_id"), json_span(place->session)};
	if (needs_section(message, place))
		list[count++] = (struct member){STR("section"), section_of(place)};
	if (adds_label)
		list[count++] = (struct member){STR("label"), json_span(place->label)};
	if (metadata.type != JSON_OBJECT)
		metadata = json_find(message->value, STR("_metadata"));
	ours = write_ours(edit, message, metadata, count > 0 || !is_own(message));
	if (ours.len > 0)
		list[count++] = (struct member){STR(OURS), ours};
	if (count > 0)
		put_members(edit, message, list, count, metadata);
	return place->label.type <= JSON_NULL || adds_label;
}

/* The name of the member of the message that has the value. */
static struct json_value
name_of(const struct message *message, struct json_value value)
{
	struct json_walk walk = json_walk_of(message->value);

	while (json_walk_next(&walk))
		if (walk.value.ptr == value.ptr)
			break;
	return walk.name;
}

/* Whether the member of metadata is not written: the section, members added here, the session of
 * the file, and the line of an agent's file from which the message was made. */
static bool
is_left_out(const struct json_walk *member, struct json_value session)
{
	return json_is(member->name, STR("section")) || json_is(member->name, STR(OURS)) ||
	    (json_is(member->name, STR("session_id")) && session.type == JSON_STRING &&
		str_eq(json_span(member->value), json_span(session))) ||
	    (json_is(member->name, STR("source")) && source_record_is_line(member->value));
}

/* Takes the place out of metadata, and restores the values that were there. */
static void
restore_metadata(struct json_edit *edit, const struct message *message, struct json_value ours,
    struct json_value session)
{
	struct json_value metadata = message->metadata;
	struct json_value section = json_find(metadata, STR("section"));
	struct json_value old = json_find(ours, STR("section"));
	struct json_value replaced = json_find(ours, STR("metadata"));
	bool has_less = false, has_more = false;

	for (struct json_walk walk = json_walk_of(metadata); json_walk_next(&walk);) {
		has_less |= is_left_out(&walk, session);
		has_more |= !is_left_out(&walk, session);
	}
	if (!has_less)
		return;
	if (old.type == JSON_ABSENT && !has_more) {
		if (replaced.type != JSON_ABSENT)
			json_edit_replace(edit, json_span(metadata), json_span(replaced));
		else
			json_edit_remove(edit, name_of(message, metadata), metadata);
		return;
	}
	for (struct json_walk walk = json_walk_of(metadata); json_walk_next(&walk);) {
		if (walk.value.ptr == section.ptr && old.type != JSON_ABSENT)
			json_edit_replace(edit, json_span(section), json_span(old));
		else if (is_left_out(&walk, session))
			json_edit_remove(edit, walk.name, walk.value);
	}
}

static void
convert_content(struct json_edit *edit, const struct message *message, struct tally *dropped)
{
	struct json_value content = message->content;
	struct buf buf = BUF_INIT;

	if (content.type == JSON_ABSENT) {
		json_edit_add(edit, message->value, STR("content"), STR("\"\""));
		return;
	}
	if (content.type != JSON_ARRAY)
		json_write_string(&buf, content.type == JSON_NULL ? STR("") : json_span(content));
	else if (!openai_part_write_all(content, ROLE_USER, &buf, dropped))
		buf_add_str(&buf, STR("\"\""));
	json_edit_replace(edit, json_span(content), json_edit_keep(edit, buf_str(&buf)));
	buf_free(&buf);
}

/* Arguments that are no object become an object with the member input. */
static void
write_call(const struct tool_call *call, struct json_writer *w)
{
	bool has_object = call->arguments.type == JSON_OBJECT;

	json_open(w, '{');
	json_member_value(w, STR("id"), call->id);
	json_member_value(w, STR("name"), call->name);
	json_name(w, STR("arguments"));
	if (!has_object)
		json_open(w, '{');
	if (has_object)
		json_put_value(w, call->arguments);
	else
		json_member_value(w, STR("input"), call->arguments);
	if (!has_object)
		json_close(w);
	json_close(w);
}

static void
convert_calls(struct json_edit *edit, const struct message *message)
{
	struct tool_call call;
	struct json_writer w;
	struct buf buf = BUF_INIT;

	for (struct call_walk walk = call_walk_of(message); call_walk_next(&walk, &call);) {
		if (is_own_call(&call))
			continue;
		buf_reset(&buf);
		json_writer_init(&w, &buf);
		write_call(&call, &w);
		json_edit_replace(edit, json_span(call.value), json_edit_keep(edit, buf_str(&buf)));
	}
	buf_free(&buf);
}

/* The id of the call goes into tool_result, with the other members of an instructor result. */
static void
convert_result(struct json_edit *edit, const struct message *message)
{
	struct json_value id = json_find(message->value, STR("tool_call_id"));
	struct buf text = BUF_INIT, buf = BUF_INIT;
	struct json_writer w;

	message_read_text(message, &text);
	json_begin(&w, &buf, '{');
	json_member_string(&w, STR("content"), buf_str(&text));
	json_member_value(&w, STR("call_id"), id);
	json_member_value(&w, STR("tool_name"), message->meta[METADATA_TOOL_NAME]);
	json_member_bool(&w, STR("is_error"), message_is(message, METADATA_IS_ERROR));
	json_close(&w);
	json_edit_add(edit, message->value, STR("tool_result"), buf_str(&buf));
	json_edit_remove(edit, name_of(message, id), id);
	buf_free(&text);
	buf_free(&buf);
}

bool
instructor_message_is_too_deep(struct json_value value, unsigned levels)
{
	const char *end = value.ptr + value.len;
	unsigned depth = 0;

	for (const char *p = value.ptr; p < end; p++) {
		if (*p == '"')
			p += json_value_at(p).len - 1;
		else if (*p == '{' || *p == '[')
			depth++;
		else if (*p == '}' || *p == ']')
			depth--;
		if (depth + levels > JSON_DEPTH_MAX)
			return true;
	}
	return false;
}

/* Whether the written message is empty: another run would drop it. */
static bool
is_emptied(struct buf *buf, size_t start)
{
	struct message written;

	buf_pad(buf);
	message_parse(&written, str_of(buf->ptr + start, buf->len - start));
	return mend_is_empty(&written);
}

bool
instructor_message_write(const struct message *message, struct json_value session, struct buf *buf,
    struct tally *dropped)
{
	struct json_value ours = json_absent;
	uint64_t counted = dropped->sum;
	size_t start = buf->len;
	bool is_converted;
	struct json_edit edit;

	json_edit_init(&edit, json_span(message->value));
	if (message->metadata.type == JSON_OBJECT) {
		ours = json_find(message->metadata, STR(OURS));
		restore_metadata(&edit, message, ours, session);
	}
	is_converted = json_find(ours, STR("verbatim")).type != JSON_TRUE && !is_own(message);
	if (is_converted) {
		if (!is_own_content(message))
			convert_content(&edit, message, dropped);
		if (!is_own_calls(message))
			convert_calls(&edit, message);
		if (!is_own_result(message))
			convert_result(&edit, message);
	}
	json_edit_end(&edit, buf);
	if (is_converted && is_emptied(buf, start)) {
		text_part_drop_message(message, counted, dropped);
		buf->len = start;
		return false;
	}
	return true;
}
