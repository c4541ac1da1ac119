#include "data/message/message.h"

#include "data/message/part.h"
#include "json/scan.h"
#include "json/string.h"

enum record_name {
	NAME_ROLE,
	NAME_CONTENT,
	NAME_TOOL_CALLS,
	NAME_TOOL_CALL_ID,
	NAME_METADATA,
	NAME_TYPE,
	NAME_UNDERSCORE_METADATA,
	NAME_NAME,
	NAME_REFUSAL,
	NAME_REASONING,
	NAME_TOOL_RESULT,
	NAME_CREATED_AT,
	NAME_COUNT,
	NAME_ACTED_ON = NAME_UNDERSCORE_METADATA, /* names before this one must not be repeated */
};

static const struct str record_list[NAME_COUNT] = {
    [NAME_ROLE] = STR_INIT("role"),
    [NAME_CONTENT] = STR_INIT("content"),
    [NAME_TOOL_CALLS] = STR_INIT("tool_calls"),
    [NAME_TOOL_CALL_ID] = STR_INIT("tool_call_id"),
    [NAME_METADATA] = STR_INIT("metadata"),
    [NAME_TYPE] = STR_INIT("type"),
    [NAME_UNDERSCORE_METADATA] = STR_INIT("_metadata"),
    [NAME_NAME] = STR_INIT("name"),
    [NAME_REFUSAL] = STR_INIT("refusal"),
    [NAME_REASONING] = STR_INIT("reasoning_content"),
    [NAME_TOOL_RESULT] = STR_INIT("tool_result"),
    [NAME_CREATED_AT] = STR_INIT("createdAt"),
};

static const char *const repeated_error[NAME_ACTED_ON] = {
    "repeated member 'role'",
    "repeated member 'content'",
    "repeated member 'tool_calls'",
    "repeated member 'tool_call_id'",
    "repeated member 'metadata'",
    "repeated member 'type'",
};

static const struct str metadata_list[METADATA_COUNT] = {
    [METADATA_ORIGIN] = STR_INIT("origin"),
    [METADATA_EXECUTION_ID] = STR_INIT("execution_id"),
    [METADATA_TOOL_NAME] = STR_INIT("tool_name"),
    [METADATA_IS_TRACE] = STR_INIT("is_trace"),
    [METADATA_IS_ERROR] = STR_INIT("is_error"),
    [METADATA_RESOLVED] = STR_INIT("resolved"),
    [METADATA_RESOLVES] = STR_INIT("resolves"),
    [METADATA_PINNED] = STR_INIT("pinned"),
    [METADATA_CRITICAL] = STR_INIT("critical"),
    [METADATA_COMPACTED] = STR_INIT("compacted"),
    [METADATA_ARCHIVED] = STR_INIT("archived"),
    [METADATA_PASS] = STR_INIT("pass"),
    [METADATA_CALL_KEYS] = STR_INIT("call_keys"),
    [METADATA_KIND] = STR_INIT("kind"),
    [METADATA_SCOPE] = STR_INIT("scope"),
    [METADATA_FACTS] = STR_INIT("facts"),
    [METADATA_SECTION] = STR_INIT("section"),
    [METADATA_SESSION_ID] = STR_INIT("session_id"),
    [METADATA_AGENT_ID] = STR_INIT("agent_id"),
    [METADATA_PARENT_EXECUTION_ID] = STR_INIT("parent_execution_id"),
    [METADATA_TIMESTAMP] = STR_INIT("timestamp"),
    [METADATA_USAGE] = STR_INIT("usage"),
    [METADATA_ID] = STR_INIT("id"),
    [METADATA_PARENT_ID] = STR_INIT("parent_id"),
    [METADATA_FORGETS] = STR_INIT("forgets"),
    [METADATA_TOKENS] = STR_INIT("tokens"),
    [METADATA_TOOL_CALLS] = STR_INIT("tool_calls"),
    [METADATA_TOOL_CALL_ID] = STR_INIT("tool_call_id"),
    [METADATA_TOOL_RESULT] = STR_INIT("tool_result"),
};

enum result_name {
	RESULT_CALL_ID,
	RESULT_TOOL_NAME,
	RESULT_IS_ERROR,
	RESULT_CONTENT,
	RESULT_COUNT
};

static const struct str result_list[RESULT_COUNT] = {
    [RESULT_CALL_ID] = STR_INIT("call_id"),
    [RESULT_TOOL_NAME] = STR_INIT("tool_name"),
    [RESULT_IS_ERROR] = STR_INIT("is_error"),
    [RESULT_CONTENT] = STR_INIT("content"),
};

enum call_name {
	CALL_ID,
	CALL_FUNCTION,
	CALL_CUSTOM,
	CALL_NAME,
	CALL_ARGUMENTS,
	CALL_ARGS,
	CALL_INPUT,
	CALL_COUNT,
	/* {"id":…,"function":{"name":…,"arguments":…}} or {"id":…,"name":…,"arguments":…} */
	CALL_INSIDE = 1 << CALL_FUNCTION | 1 << CALL_CUSTOM
};

_Static_assert((int)CALL_COUNT <= (int)JSON_PICKED_MAX, "all members of a call have room");

static const struct str call_list[CALL_COUNT] = {
    [CALL_ID] = STR_INIT("id"),
    [CALL_FUNCTION] = STR_INIT("function"),
    [CALL_CUSTOM] = STR_INIT("custom"),
    [CALL_NAME] = STR_INIT("name"),
    [CALL_ARGUMENTS] = STR_INIT("arguments"),
    [CALL_ARGS] = STR_INIT("args"),
    [CALL_INPUT] = STR_INIT("input"),
};

static const struct str role_list[] = {
    [ROLE_SYSTEM] = STR_INIT("system"),
    [ROLE_DEVELOPER] = STR_INIT("developer"),
    [ROLE_USER] = STR_INIT("user"),
    [ROLE_ASSISTANT] = STR_INIT("assistant"),
    [ROLE_TOOL] = STR_INIT("tool"),
};

static const struct str origin_list[] = {
    [ORIGIN_USER] = STR_INIT("user"),
    [ORIGIN_ASSISTANT] = STR_INIT("assistant"),
    [ORIGIN_TOOL_CALL] = STR_INIT("tool_call"),
    [ORIGIN_TOOL_RESULT] = STR_INIT("tool_result"),
    [ORIGIN_SUMMARY] = STR_INIT("summary"),
    [ORIGIN_SYSTEM] = STR_INIT("system"),
    [ORIGIN_ERROR] = STR_INIT("error"),
    [ORIGIN_INJECTED] = STR_INIT("injected"),
};

enum {
	ROLE_COUNT = sizeof role_list / sizeof role_list[0],
	ORIGIN_COUNT = sizeof origin_list / sizeof origin_list[0]
};

/* Filled once by message_init, read-only afterwards. Names of roles and of origins begin at 1: the
 * first of each is that of none. */
static struct json_names record_names, metadata_names, result_names, call_names, role_names,
    origin_names;

/* Values that are derived, with the padding that readers of JSON need. */
static const char word_summary[sizeof "\"summary\"" + JSON_PADDING] = "\"summary\"";
static const char no_arguments[sizeof "{}" + JSON_PADDING] = "{}";

void
message_init(void)
{
	JSON_NAMES_INIT(&record_names, record_list, NAME_COUNT);
	record_names.element = &call_names;
	record_names.list_name = NAME_TOOL_CALLS;
	record_names.inside = CALL_INSIDE;
	JSON_NAMES_INIT(&metadata_names, metadata_list, METADATA_COUNT);
	JSON_NAMES_INIT(&result_names, result_list, RESULT_COUNT);
	JSON_NAMES_INIT(&call_names, call_list, CALL_COUNT);
	JSON_NAMES_INIT(&role_names, role_list + 1, ROLE_COUNT - 1);
	JSON_NAMES_INIT(&origin_names, origin_list + 1, ORIGIN_COUNT - 1);
}

struct str
role_name(enum role role)
{
	return role_list[role];
}

struct str
metadata_name_text(enum metadata_name name)
{
	return metadata_list[name];
}

struct str
origin_name(enum origin origin)
{
	return origin_list[origin];
}

enum origin
message_origin(const struct message *message)
{
	return (enum origin)(json_name_index(&origin_names, message->meta[METADATA_ORIGIN]) + 1);
}

struct str
message_section(const struct message *message, struct buf *scratch)
{
	struct json_value section = message->meta[METADATA_SECTION];

	return section.type == JSON_STRING ? json_text(section, scratch) : STR("messages");
}

static void
set_bad(struct message *message, const char *error, size_t at)
{
	message->kind = RECORD_BAD;
	message->error = error;
	message->error_at = at;
}

static enum record_kind
kind_of(const struct json_scan *scan)
{
	struct json_value type = scan->member[NAME_TYPE];

	if (scan->value.type != JSON_OBJECT)
		return RECORD_FOREIGN;
	if (scan->member[NAME_ROLE].type == JSON_STRING)
		return RECORD_MESSAGE;
	if (json_is(type, STR("context")))
		return RECORD_CONTEXT;
	if (json_is(type, STR("budget")))
		return RECORD_BUDGET;
	return RECORD_FOREIGN;
}

/* Whether the value is an array without elements: PHP writes an empty object so. */
static bool
is_empty_list(struct json_value value)
{
	return value.type == JSON_ARRAY && !json_has_elements(value);
}

/* Whether metadata may replace the value. */
static bool
is_free(struct json_value value)
{
	return value.type <= JSON_NULL || is_empty_list(value);
}

static void
set_metadata(struct message *message, struct json_value plain, struct json_value underscore)
{
	bool is_underscore = plain.type == JSON_ABSENT && underscore.type != JSON_ABSENT;

	message->metadata = plain.type == JSON_OBJECT ? plain : underscore;
	if (message->metadata.type != JSON_OBJECT)
		message->metadata.type = JSON_ABSENT;
	message->home = is_free(plain) && !(is_underscore && is_free(underscore)) ? METADATA_PLAIN :
	    is_free(underscore) ? METADATA_UNDERSCORE :
				  METADATA_NOWHERE;
	message->home_free = message->home == METADATA_PLAIN ? plain : underscore;
	message->has_metadata = plain.type != JSON_ABSENT || underscore.type != JSON_ABSENT;
	json_pick(message->metadata, &metadata_names, message->meta);
}

/* Sets a value that the message lacks. */
static void
complete(struct json_value *value, struct json_value other)
{
	if (value->type <= JSON_NULL && other.type > JSON_NULL)
		*value = other;
}

/* A message in section summary is a summary, and a summary stands in that section. */
static void
complete_summary(struct json_value *kind, struct json_value *section)
{
	const struct json_value summary = {
	    .ptr = word_summary, .len = sizeof "\"summary\"" - 1, .type = JSON_STRING};

	if (kind->type <= JSON_NULL && json_is(*section, STR("summary")))
		*kind = summary;
	else if (section->type <= JSON_NULL && json_is(*kind, STR("summary")))
		*section = summary;
}

/* Reads what instructor says in other members: in tool_result, in metadata, in createdAt. */
static void
set_others(struct message *message, struct json_value result, struct json_value created_at)
{
	struct json_value *meta = message->meta, said[RESULT_COUNT];

	if (result.type != JSON_OBJECT)
		result = meta[METADATA_TOOL_RESULT];
	message->result_text.type = JSON_ABSENT;
	if (result.type == JSON_OBJECT) {
		json_pick(result, &result_names, said);
		complete(&message->tool_call_id, said[RESULT_CALL_ID]);
		complete(&meta[METADATA_TOOL_NAME], said[RESULT_TOOL_NAME]);
		complete(&meta[METADATA_IS_ERROR], said[RESULT_IS_ERROR]);
		if (said[RESULT_CONTENT].type == JSON_STRING)
			message->result_text = said[RESULT_CONTENT];
	}
	complete(&message->tool_call_id, meta[METADATA_TOOL_CALL_ID]);
	complete(&meta[METADATA_TIMESTAMP], created_at);
	complete_summary(&meta[METADATA_KIND], &meta[METADATA_SECTION]);
}

static struct json_value
first_present(const struct json_value *member, enum call_name a, enum call_name b, enum call_name c)
{
	if (member[a].type != JSON_ABSENT)
		return member[a];
	return member[b].type != JSON_ABSENT ? member[b] : member[c];
}

static void
set_call(struct tool_call *call, struct json_value value, const struct json_value *member)
{
	call->value = value;
	call->id = member[CALL_ID];
	call->name = member[CALL_NAME];
	call->arguments = first_present(member, CALL_ARGUMENTS, CALL_ARGS, CALL_INPUT);
	if (is_empty_list(call->arguments))
		call->arguments = (struct json_value){
		    .ptr = no_arguments, .len = sizeof "{}" - 1, .type = JSON_OBJECT};
}

/* Notes the calls that the scan found. */
static void
note_calls(struct message *message, const struct json_scan *scan)
{
	message->noted = NULL;
	if (message->tool_calls.type != JSON_ARRAY || scan->elements > MESSAGE_CALLS)
		return;
	message->noted = message->tool_calls.ptr;
	message->call_count = scan->elements;
	for (uint32_t i = 0; i < scan->elements; i++)
		set_call(&message->call[i], scan->element[i].value, scan->element[i].member);
}

static void
set_members(struct message *message, const struct json_scan *scan)
{
	message->role_value = scan->member[NAME_ROLE];
	message->content = scan->member[NAME_CONTENT];
	message->tool_calls = scan->member[NAME_TOOL_CALLS];
	message->tool_call_id = scan->member[NAME_TOOL_CALL_ID];
	message->name = scan->member[NAME_NAME];
	message->type = scan->member[NAME_TYPE];
	message->refusal = scan->member[NAME_REFUSAL];
	message->reasoning = scan->member[NAME_REASONING];
	note_calls(message, scan);
	set_metadata(message, scan->member[NAME_METADATA], scan->member[NAME_UNDERSCORE_METADATA]);
	set_others(message, scan->member[NAME_TOOL_RESULT], scan->member[NAME_CREATED_AT]);
}

/* The offset in text of the second member of object with that name. */
static size_t
find_repeated(const char *text, struct json_value object, struct str name)
{
	struct json_walk walk;
	bool found = false;

	json_walk_open(&walk, object);
	while (json_walk_next(&walk)) {
		if (!json_is(walk.name, name))
			continue;
		if (found)
			break;
		found = true;
	}
	return (size_t)(walk.name.ptr - text);
}

/* Fills message from a scan. */
static void
take_scan(struct message *message, const char *text, const struct json_scan *scan)
{
	uint64_t repeated = scan->repeated & ((UINT64_C(1) << NAME_ACTED_ON) - 1);

	message->value = scan->value;
	message->kind = kind_of(scan);
	if (message->kind == RECORD_FOREIGN)
		return;
	if (repeated != 0) {
		int i = __builtin_ctzll(repeated);

		set_bad(
		    message, repeated_error[i], find_repeated(text, scan->value, record_list[i]));
		return;
	}
	set_members(message, scan);
	message->role = (enum role)(json_name_index(&role_names, message->role_value) + 1);
}

void
message_parse(struct message *message, struct str text)
{
	struct json_scan scan;

	if (str_trim(text).len == 0)
		message->kind = RECORD_BLANK;
	else if (json_scan(text, &record_names, &scan))
		take_scan(message, text.ptr, &scan);
	else
		set_bad(message, scan.error, scan.error_at);
}

void
message_reread(struct message *message, struct str text)
{
	struct json_scan scan;

	json_reread(text, &record_names, NULL, 0, &scan);
	take_scan(message, text.ptr, &scan);
}

static void
move_value(struct json_value *value, const char *from, size_t len, const char *to)
{
	if (value->ptr >= from && value->ptr < from + len)
		value->ptr = to + (value->ptr - from);
}

/* Notes the calls that were noted before the array of calls was moved. */
static void
move_calls(struct message *message, const struct message *before)
{
	struct json_value calls = before->tool_calls;
	const char *to = message->tool_calls.ptr;

	message->noted = to;
	message->call_count = before->call_count;
	for (uint32_t i = 0; i < before->call_count; i++) {
		struct tool_call *call = &message->call[i];

		*call = before->call[i];
		move_value(&call->value, calls.ptr, calls.len, to);
		move_value(&call->id, calls.ptr, calls.len, to);
		move_value(&call->name, calls.ptr, calls.len, to);
		move_value(&call->arguments, calls.ptr, calls.len, to);
	}
}

void
message_note_moved(const struct message *message, struct str piece, const char *to,
    struct json_value moved[MESSAGE_LONG])
{
	const struct json_value *value[MESSAGE_LONG] = {
	    &message->tool_calls, &message->content, &message->reasoning};

	for (int i = 0; i < MESSAGE_LONG; i++) {
		if (value[i]->type == JSON_ABSENT || value[i]->ptr < piece.ptr ||
		    value[i]->ptr + value[i]->len > piece.ptr + piece.len)
			continue;
		moved[i] = *value[i];
		moved[i].ptr = to + (value[i]->ptr - piece.ptr);
	}
}

void
message_reread_moved(struct message *message, struct str text, const struct message *before,
    const struct json_value moved[MESSAGE_LONG])
{
	struct json_scan scan;

	json_reread(text, &record_names, moved, MESSAGE_LONG, &scan);
	take_scan(message, text.ptr, &scan);
	if (message->kind == RECORD_MESSAGE && message->tool_calls.type == JSON_ARRAY &&
	    message->tool_calls.ptr == moved[0].ptr && before->noted == before->tool_calls.ptr)
		move_calls(message, before);
}

size_t
message_parse_line(struct message *message, struct str text)
{
	struct json_scan scan;
	size_t len = json_scan_line(text, &record_names, &scan);

	if (len > 0)
		take_scan(message, text.ptr, &scan);
	return len;
}

int
message_flag(const struct message *message, enum metadata_name name)
{
	switch (message->meta[name].type) {
	case JSON_TRUE:
		return 1;
	case JSON_FALSE:
		return 0;
	default:
		return -1;
	}
}

struct str
call_id_text(struct json_value id, struct buf *scratch)
{
	if (id.type == JSON_STRING)
		return json_text(id, scratch);
	return id.type == JSON_NUMBER ? json_span(id) : STR("");
}

struct hash
call_id_key(struct str id, uint32_t agent)
{
	return hash_bytes(id, hash_number(agent, hash_seed(HASH_CALL_ID)));
}

struct hash
call_id_hash(struct json_value id)
{
	struct buf scratch = BUF_INIT;
	struct hash hash = call_id_key(call_id_text(id, &scratch), 0);

	buf_free(&scratch);
	return hash;
}

void
message_set_call(struct message *message, const struct tool_call *call)
{
	message->role = ROLE_ASSISTANT;
	message->tool_calls = call->value;
	message->tool_calls.type = JSON_ARRAY;
	message->noted = call->value.ptr;
	message->call[0] = *call;
	message->call_count = 1;
}

void
call_walk_open(struct call_walk *walk, const struct message *message)
{
	struct json_value calls = message->tool_calls;

	if (calls.type != JSON_ARRAY)
		calls = message->meta[METADATA_TOOL_CALLS];
	walk->noted = message->call;
	walk->left = 0;
	if (message->role != ROLE_ASSISTANT) {
		calls.type = JSON_ABSENT;
	} else if (calls.type == JSON_ARRAY && calls.ptr == message->noted) {
		calls.type = JSON_ABSENT;
		walk->left = message->call_count;
	}
	json_walk_open(&walk->inner, calls);
}

bool
call_walk_next(struct call_walk *walk, struct tool_call *call)
{
	struct json_value member[CALL_COUNT];

	if (walk->left > 0) {
		walk->left--;
		*call = *walk->noted++;
		return true;
	}
	do {
		if (!json_walk_pick(&walk->inner, &call_names, CALL_INSIDE, member))
			return false;
	} while (walk->inner.value.type != JSON_OBJECT);
	set_call(call, walk->inner.value, member);
	return true;
}

bool
message_is_artifact(const struct message *message)
{
	return json_is(message->meta[METADATA_KIND], STR("summary")) ||
	    json_is(message->meta[METADATA_KIND], STR("trace"));
}

bool
message_is_request(const struct message *message)
{
	enum origin origin = message_origin(message);

	return message->role == ROLE_USER && !message_is_artifact(message) &&
	    (origin == ORIGIN_NONE || origin == ORIGIN_USER);
}

bool
message_has_calls(const struct message *message)
{
	struct call_walk walk;

	call_walk_open(&walk, message);
	if (walk.left > 0)
		return true;
	while (json_walk_next(&walk.inner))
		if (walk.inner.value.type == JSON_OBJECT)
			return true;
	return false;
}

bool
message_is_blank(const struct message *message)
{
	struct json_walk walk;
	struct part part;

	if ((message->refusal.type == JSON_STRING && !json_is_blank(message->refusal)) ||
	    (message->result_text.type == JSON_STRING && !json_is_blank(message->result_text)))
		return false;
	if (message->content.type == JSON_STRING)
		return json_is_blank(message->content);
	if (message->content.type != JSON_ARRAY)
		return message->content.type <= JSON_NULL;
	json_walk_open(&walk, message->content);
	while (json_walk_next(&walk)) {
		part_read(walk.value, &part);
		if (!part_is_blank(&part))
			return false;
	}
	return true;
}

bool
message_name_holds_content(struct json_value name)
{
	static const struct str holders[] = {STR_INIT("content"), STR_INIT("tool_calls"),
	    STR_INIT("tool_call_id"), STR_INIT("function_call"), STR_INIT("tool_result"),
	    STR_INIT("refusal"), STR_INIT("reasoning_content"), STR_INIT("audio")};

	return json_is_one_of(name, holders, sizeof holders / sizeof holders[0]);
}

/* Whether some member of the object holds content; says_more is set when another says anything but
 * who speaks. */
static bool
has_content(struct json_value object, bool *says_more)
{
	static const struct str frame[] = {STR_INIT("role"), STR_INIT("name"), STR_INIT("type"),
	    STR_INIT("id"), STR_INIT("parentId"), STR_INIT("createdAt"), STR_INIT("metadata"),
	    STR_INIT("_metadata")};
	struct json_walk walk;

	json_walk_open(&walk, object);
	while (json_walk_next(&walk)) {
		if (message_name_holds_content(walk.name))
			return true;
		if (walk.value.type > JSON_NULL &&
		    !json_is_one_of(walk.name, frame, sizeof frame / sizeof frame[0]))
			*says_more = true;
	}
	return false;
}

/* Whether the content is null, an empty string or an empty array, and the text stands where other
 * formats have it. */
static bool
speaks_beside(const struct message *message)
{
	struct json_value parts, text;

	/* The common case first, without a walk over the members. */
	if (message_has_calls(message) || !message_is_blank(message))
		return false;
	parts = json_find(message->value, STR("parts"));
	text = json_find(message->value, STR("text"));
	return (parts.type == JSON_ARRAY && !is_empty_list(parts)) ||
	    (text.type == JSON_STRING && !json_is_blank(text));
}

bool
message_is_unknown(const struct message *message)
{
	bool says_more = false, ignored;

	if (message_has_text(message) || message->tool_call_id.type != JSON_ABSENT)
		return false;
	if (message->content.type != JSON_ABSENT)
		return speaks_beside(message);
	if (message->tool_calls.type != JSON_ABSENT)
		return false;
	return !has_content(message->value, &says_more) && says_more &&
	    !has_content(message->metadata, &ignored);
}
