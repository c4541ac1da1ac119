#include "policy/normalize/mend.h"

#include "data/message/content.h"
#include "data/message/metadata.h"
#include "data/message/metadata_type.h"
#include "json/string.h"
#include "json/write.h"

static const struct str note = STR_INIT("[tool result that answers no call]");

enum role
mend_alias(const struct message *message)
{
	const struct role_speaker *speaker =
	    message->role == ROLE_OTHER ? role_speaker_find(message->role_value) : NULL;

	return speaker != NULL && speaker->is_alias ? speaker->role : ROLE_OTHER;
}

bool
mend_holds_something(struct json_value value)
{
	switch (value.type) {
	case JSON_STRING:
		return !json_is_blank(value);
	case JSON_ARRAY:
	case JSON_OBJECT:
		return json_has_elements(value);
	case JSON_ABSENT:
	case JSON_NULL:
	case JSON_FALSE:
		return false;
	default:
		return true;
	}
}

/* Whether the member only frames a message: such as the speaker or the subject, but no content. */
static bool
is_frame(struct json_value name)
{
	static const struct str frame[] = {STR_INIT("role"), STR_INIT("content"), STR_INIT("name"),
	    STR_INIT("type"), STR_INIT("id"), STR_INIT("metadata"), STR_INIT("_metadata")};

	return JSON_IS_ONE_OF(name, frame);
}

static bool
has_thinking(struct json_value content)
{
	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk);) {
		struct json_value type = json_find(walk.value, STR("type"));

		if (walk.value.type == JSON_OBJECT && !json_is(type, STR("text")))
			return true;
	}
	return false;
}

/* Whether the member is metadata with content, which no reader would find there. */
static bool
holds_content(struct json_value name, struct json_value value)
{
	if (!json_is(name, STR("metadata")) && !json_is(name, STR("_metadata")))
		return false;
	for (struct json_walk walk = json_walk_members(value); json_walk_next(&walk);)
		if (message_name_holds_content(walk.name) && mend_holds_something(walk.value))
			return true;
	return false;
}

bool
mend_is_empty(const struct message *message)
{
	if (message->content.type == JSON_STRING && !json_is_blank(message->content))
		return false;
	if (message->role == ROLE_OTHER || message->role == ROLE_TOOL ||
	    message_has_calls(message) || !message_is_blank(message) ||
	    message_is(message, METADATA_PINNED) ||
	    message->meta[METADATA_KIND].type == JSON_STRING ||
	    mend_holds_something(message->meta[METADATA_FORGETS]) || has_thinking(message->content))
		return false;
	if (message->content.type != JSON_STRING && message->content.type != JSON_ARRAY &&
	    message->content.type > JSON_NULL)
		return false;
	for (struct json_walk walk = json_walk_of(message->value); json_walk_next(&walk);)
		if (is_frame(walk.name) ? holds_content(walk.name, walk.value) :
					  mend_holds_something(walk.value))
			return false;
	return true;
}

static void
finish(struct json_edit *edit, struct buf *to)
{
	buf_reset(to);
	json_edit_end(edit, to);
	buf_pad(to);
}

void
mend_value(struct str text, struct json_value value, struct str json, struct buf *to)
{
	struct json_edit edit;

	json_edit_init(&edit, text);
	json_edit_replace(&edit, json_span(value), json);
	finish(&edit, to);
}

static struct json_value
find_alias(const struct message *message)
{
	return mend_alias(message) != ROLE_OTHER ? message->role_value : json_absent;
}

static void
write_role(const struct message *message, struct buf *json)
{
	json_write_string(json, role_name(mend_alias(message)));
}

static struct json_value
find_bad_flag(const struct message *message)
{
	return message_flag(message, METADATA_CRITICAL) < 0 ? message->meta[METADATA_CRITICAL] :
							      json_absent;
}

static void
write_false(const struct message *message, struct buf *json)
{
	(void)message;
	buf_add_str(json, STR("false"));
}

static struct json_value
find_bad_tombstone(const struct message *message)
{
	struct json_value forgets = message->meta[METADATA_FORGETS];

	if (forgets.type == JSON_ABSENT || forgets.type == JSON_NULL ||
	    metadata_type_expected(metadata_name_text(METADATA_FORGETS), forgets) == NULL)
		return json_absent;
	return forgets;
}

/* A list of the ids that are in it. */
static void
write_tombstone(const struct message *message, struct buf *json)
{
	struct json_value forgets = message->meta[METADATA_FORGETS];

	buf_add_char(json, '[');
	for (struct json_walk walk = json_walk_list(forgets); json_walk_next(&walk);) {
		if (walk.value.type != JSON_STRING)
			continue;
		if (json->len > 1)
			buf_add_char(json, ',');
		buf_add_str(json, json_span(walk.value));
	}
	buf_add_char(json, ']');
}

const struct mend mend_table[MEND_COUNT] = {
    {VIOLATION_ROLE_ALIAS, find_alias, write_role},
    {VIOLATION_BAD_FLAG, find_bad_flag, write_false},
    {VIOLATION_BAD_TOMBSTONE, find_bad_tombstone, write_tombstone},
};

static void
mark_string(struct json_edit *edit, struct json_value string)
{
	json_edit_replace(edit, str_of(string.ptr + 1, 0), note);
	json_edit_replace(edit, str_of(string.ptr + 1, 0), STR(" "));
}

/* Puts the note before the content, and before the result's text beside it. If there is no content,
 * the note becomes the content. */
static void
mark_content(struct json_edit *edit, const struct message *message)
{
	struct json_value content = message->content;
	struct buf text = BUF_INIT;

	if (message->result_text.type == JSON_STRING)
		mark_string(edit, message->result_text);
	if (content.type == JSON_STRING) {
		mark_string(edit, content);
	} else if (content.type == JSON_ARRAY) {
		buf_add_str(&text, STR("{\"type\":\"text\",\"text\":"));
		json_write_string(&text, note);
		buf_add_char(&text, '}');
		if (mend_holds_something(content))
			buf_add_char(&text, ',');
		json_edit_replace(
		    edit, str_of(content.ptr + 1, 0), json_edit_keep(edit, buf_str(&text)));
	} else if (content.type == JSON_ABSENT) {
		json_write_string(&text, note);
		json_edit_add(edit, message->value, STR("content"), buf_str(&text));
	} else if (content.type == JSON_NULL) {
		json_write_string(&text, note);
		json_edit_replace(edit, json_span(content), json_edit_keep(edit, buf_str(&text)));
	}
	buf_free(&text);
}

bool
mend_orphan(const struct message *message, struct str text, struct buf *to)
{
	static const struct metadata_member injected[] = {
	    {METADATA_ORIGIN, STR_INIT("\"injected\"")}, {METADATA_IS_TRACE, STR_INIT("true")}};
	struct json_edit edit;

	json_edit_init(&edit, text);
	json_edit_replace(&edit, json_span(message->role_value), STR("\"user\""));
	mark_content(&edit, message);
	if (!metadata_set(&edit, message, injected, 2)) {
		json_edit_free(&edit);
		return false;
	}
	finish(&edit, to);
	return true;
}

const enum metadata_name mend_shared[MEND_SHARED] = {METADATA_EXECUTION_ID, METADATA_SESSION_ID,
    METADATA_AGENT_ID, METADATA_PARENT_EXECUTION_ID, METADATA_SECTION};

struct json_value
mend_id(const struct tool_call *call)
{
	bool has_id = call->id.type == JSON_STRING || call->id.type == JSON_NUMBER;

	return has_id ? call->id : json_absent;
}

struct json_value
mend_name(const struct tool_call *call)
{
	return call->name.type == JSON_STRING ? call->name : json_absent;
}

static void
put_metadata(struct json_writer *w, enum metadata_name name, struct str json)
{
	if (json.len > 0)
		json_member_raw(w, metadata_name_text(name), json);
}

void
mend_missing(const struct mend_gap *gap, struct buf *to)
{
	struct json_writer w;

	json_begin(&w, to, '{');
	json_member_string(&w, STR("role"), role_name(ROLE_TOOL));
	json_member_raw(&w, STR("tool_call_id"), gap->id.len > 0 ? gap->id : STR("\"\""));
	json_member_string(&w, STR("content"), STR("[no result]"));
	json_member_open(&w, STR("metadata"), '{');
	put_metadata(&w, METADATA_TOOL_NAME, gap->name);
	json_member_bool(&w, metadata_name_text(METADATA_IS_ERROR), true);
	for (size_t i = 0; i < MEND_SHARED; i++)
		put_metadata(&w, mend_shared[i], gap->shared[i]);
	json_close(&w);
	json_close(&w);
}
