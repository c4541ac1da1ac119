#include "dialects/unread.h"

#include "data/message/content.h"
#include "dialects/census/census.h"
#include "dialects/likeness.h"
#include "json/scan.h"
#include "json/string.h"

static bool
has_role(struct json_value value)
{
	return value.type == JSON_OBJECT && json_find(value, STR("role")).type == JSON_STRING;
}

/* Whether the test holds for an element of the value, if that is a list; *count is how many were
 * looked at. */
static bool
has_element(struct json_value list, bool (*test)(struct json_value element), uint32_t *count)
{
	*count = 0;
	for (struct json_walk walk = json_walk_list(list); json_walk_next(&walk);) {
		++*count;
		if (test(walk.value))
			return true;
	}
	return false;
}

bool
unread_has_message(struct json_value value)
{
	uint32_t count;

	return has_element(value.type == JSON_OBJECT ? json_find(value, STR("messages")) : value,
	    has_role, &count);
}

static bool
has_message(struct json_value choice)
{
	return has_role(json_find(choice, STR("message")));
}

static bool
is_list_without_messages(struct json_value list)
{
	uint32_t count;

	return !has_element(list, has_role, &count) && count > 0;
}

/* Whether the value is a call or its result by its type, as the items of the Responses API are. */
static bool
is_call_type(struct json_value type)
{
	return type.type == JSON_STRING &&
	    (str_has_suffix(json_inner(type), STR("_call")) ||
		str_has_suffix(json_inner(type), STR("_call_output")) ||
		json_is(type, STR("tool_result")));
}

static bool
is_item(struct json_value value)
{
	return has_role(value) ||
	    (value.type == JSON_OBJECT && is_call_type(json_find(value, STR("type"))));
}

/* Whether a payload says something that may be for the model. */
static bool
payload_speaks(struct json_value payload)
{
	return payload.type == JSON_OBJECT &&
	    (is_item(payload) || json_has_type(payload, STR("message")) ||
		json_find(payload, STR("content")).type > JSON_NULL ||
		json_find(payload, STR("message")).type > JSON_NULL ||
		json_find(payload, STR("text")).type > JSON_NULL);
}

/* Whether a value has words: a string, a list or an object that is not empty. */
static bool
has_words(struct json_value value)
{
	return (value.type == JSON_STRING && value.len > 2) ||
	    ((value.type == JSON_ARRAY || value.type == JSON_OBJECT) && json_has_elements(value));
}

/* The members of a record that are looked at. */
/* clang-format off */
#define MEMBER_TABLE(row) \
	row(AT_role, "role") row(AT_message, "message") row(AT_type, "type") \
	row(AT_content, "content") row(AT_id, "id") row(AT_timestamp, "timestamp") \
	row(AT_parts, "parts") row(AT_calls, "toolCalls") row(AT_summary, "summary") \
	row(AT_store, "messageStore") row(AT_payload, "payload") row(AT_data, "data") \
	row(AT_info, "info") \
	row(AT_llm_message, "llm_message") row(AT_choices, "choices") row(AT_input, "input") \
	row(AT_output, "output") row(AT_messages, "messages") \
	row(AT_conversations, "conversations")
/* clang-format on */

enum member { MEMBER_TABLE(JSON_NAME_INDEX) MEMBER_COUNT };

static void
pick(struct json_value value, struct json_value *member)
{
	static const struct str list[] = {MEMBER_TABLE(JSON_NAME_TEXT)};
	static struct json_names names;

	if (names.count == 0)
		JSON_NAMES_INIT(&names, list, MEMBER_COUNT);
	json_pick(value, &names, member);
}

/* Whether there are conversations that no reader took: beside messages they are no messages. */
static bool
has_conversations(const struct json_value *member)
{
	return (member[AT_conversations].type == JSON_STRING ||
		   json_has_elements(member[AT_conversations])) &&
	    member[AT_messages].type == JSON_ABSENT;
}

/* Whether the record is an entry of an agent's session, by its id and its time, with words where
 * entries of pi, of Gemini CLI and of Copilot CLI have them: an entry of an unknown or odd type. */
static bool
is_entry_with_words(const struct json_value *member)
{
	return member[AT_id].type > JSON_NULL && member[AT_timestamp].type > JSON_NULL &&
	    (has_words(member[AT_content]) || has_words(member[AT_parts]) ||
		has_words(member[AT_calls]) || has_words(member[AT_summary]) ||
		payload_speaks(member[AT_data]));
}

/* Of a list, one level is looked at. */
static bool
speaks(struct json_value value)
{
	struct json_value member[MEMBER_COUNT];
	uint32_t count;

	if (value.type != JSON_OBJECT)
		return false;
	pick(value, member);
	return member[AT_role].type > JSON_NULL || member[AT_message].type > JSON_NULL ||
	    json_is(member[AT_type], STR("message")) || json_is(member[AT_type], STR("gemini")) ||
	    (json_is(member[AT_type], STR("user")) && member[AT_content].type > JSON_NULL) ||
	    is_entry_with_words(member) || member[AT_store].type > JSON_NULL ||
	    is_call_type(member[AT_type]) || payload_speaks(member[AT_payload]) ||
	    has_role(member[AT_info]) || has_role(member[AT_llm_message]) ||
	    has_element(member[AT_choices], has_message, &count) ||
	    has_element(member[AT_input], is_item, &count) ||
	    has_element(member[AT_output], is_item, &count) || has_conversations(member) ||
	    is_list_without_messages(member[AT_messages]);
}

bool
unread_speaks(struct json_value record)
{
	uint32_t count;

	return speaks(record) || has_element(record, speaks, &count);
}

/* Whether the record is one of an agent's session file that has words of its own. */
static bool
has_own_words(const struct unread *unread, struct json_value record)
{
	const struct dialect *read = unread->reading->other;

	return read != NULL && !read->is_chat && record.type == JSON_OBJECT &&
	    (has_words(json_find(record, STR("text"))) ||
		has_words(json_find(record, STR("content"))));
}

static void
find(struct unread *unread, const struct record *record)
{
	struct unread_finding finding = {record->line.file, record->line.number,
	    record->kind == RECORD_MESSAGE, likeness_name(record->message->value)};

	if (unread->looks_like == NULL && finding.looks_like != NULL &&
	    likeness_is_read(finding.looks_like))
		unread->looks_like = finding.looks_like;
	buf_add(&unread->findings, &finding, sizeof finding);
}

/* Counts a record that no reader understood. */
static void
count(const struct unread *unread, const struct record *record, struct json_value value)
{
	const struct dialect_reading *reading = unread->reading;

	if (reading->census != NULL)
		census_add_record(reading->census,
		    reading->other != NULL ? reading->other : &ctx_dialect, &record->line, value);
}

static void
take(struct stage *stage, struct record *record)
{
	struct unread *unread = (struct unread *)stage;
	bool is_named = (record->read & RECORD_READ_NAMED) != 0;
	const struct message *message;
	struct message read;

	if (record->kind == RECORD_MESSAGE) {
		message = record_message(record, &read);
		if (message_is_unknown(message)) {
			if (!is_named)
				find(unread, record);
			count(unread, record, message->value);
			record->kind = RECORD_FOREIGN;
		} else {
			unread->messages++;
		}
	} else if (record->kind == RECORD_FOREIGN && !is_named) {
		message = record_message(record, &read);
		count(unread, record, message->value);
		if (unread_speaks(message->value) || unread_has_message(message->value) ||
		    has_own_words(unread, message->value))
			find(unread, record);
		else
			tally_add_record(unread->passed, message->value);
	}
	stage_emit(stage, record);
}

void
unread_init(struct unread *unread, const struct dialect_reading *reading, struct tally *passed)
{
	*unread = (struct unread){
	    .stage = {.take = take, .end = stage_pass_end}, .reading = reading, .passed = passed};
}

bool
unread_next(struct unread *unread, size_t *at, struct unread_finding *finding)
{
	if (*at == unread->findings.len) {
		buf_reset(&unread->findings);
		*at = 0;
		return false;
	}
	memcpy(finding, unread->findings.ptr + *at, sizeof *finding);
	*at += sizeof *finding;
	return true;
}

void
unread_free(struct unread *unread)
{
	buf_free(&unread->findings);
}
