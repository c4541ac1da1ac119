#include "dialects/unread.h"

#include "data/message/content.h"
#include "dialects/likeness.h"
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
	struct json_walk walk;

	*count = 0;
	json_walk_open(&walk, list);
	while (list.type == JSON_ARRAY && json_walk_next(&walk)) {
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

/* Whether there are conversations that no reader took: beside messages they are no messages. */
static bool
has_conversations(struct json_value value)
{
	struct json_value list = json_find(value, STR("conversations"));

	return (list.type == JSON_STRING || json_has_elements(list)) &&
	    !json_has(value, STR("messages"));
}

/* Whether the value is a call or its result by its type, as the items of the Responses API are. */
static bool
is_call(struct json_value value)
{
	struct json_value type = {0};

	if (value.type == JSON_OBJECT)
		type = json_find(value, STR("type"));
	return type.type == JSON_STRING &&
	    (str_has_suffix(json_inner(type), STR("_call")) ||
		str_has_suffix(json_inner(type), STR("_call_output")) ||
		json_is(type, STR("tool_result")));
}

static bool
is_item(struct json_value value)
{
	return has_role(value) || is_call(value);
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

/* Whether it is an entry of an agent's session, by its id and its time, that has words where those
 * of pi and of Gemini CLI have them: its type is not known, or odd. */
static bool
is_entry_with_words(struct json_value value)
{
	return json_find(value, STR("id")).type > JSON_NULL &&
	    json_find(value, STR("timestamp")).type > JSON_NULL &&
	    (has_words(json_find(value, STR("content"))) ||
		has_words(json_find(value, STR("parts"))) ||
		has_words(json_find(value, STR("toolCalls"))) ||
		has_words(json_find(value, STR("summary"))));
}

/* Of a list, one level is looked at. */
static bool
speaks(struct json_value value)
{
	uint32_t count;

	return value.type == JSON_OBJECT &&
	    (json_find(value, STR("role")).type > JSON_NULL ||
		json_find(value, STR("message")).type > JSON_NULL ||
		json_has_type(value, STR("message")) || json_has_type(value, STR("gemini")) ||
		(json_has_type(value, STR("user")) &&
		    json_find(value, STR("content")).type > JSON_NULL) ||
		is_entry_with_words(value) ||
		json_find(value, STR("messageStore")).type > JSON_NULL || is_call(value) ||
		payload_speaks(json_find(value, STR("payload"))) ||
		has_role(json_find(value, STR("info"))) ||
		has_role(json_find(value, STR("llm_message"))) ||
		has_element(json_find(value, STR("choices")), has_message, &count) ||
		has_element(json_find(value, STR("input")), is_item, &count) ||
		has_element(json_find(value, STR("output")), is_item, &count) ||
		has_conversations(value) ||
		is_list_without_messages(json_find(value, STR("messages"))));
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

static bool
is_unread(const struct unread *unread, struct json_value record)
{
	return unread_speaks(record) || unread_has_message(record) || has_own_words(unread, record);
}

static void
find(struct unread *unread, const struct record *record)
{
	struct unread_finding finding = {record->line.file, record->line.number,
	    record->kind == RECORD_MESSAGE, likeness_name(record->message->value)};

	unread->found++;
	if (unread->looks_like == NULL && finding.looks_like != NULL &&
	    likeness_is_read(finding.looks_like))
		unread->looks_like = finding.looks_like;
	buf_add(&unread->findings, &finding, sizeof finding);
}

static void
take(struct stage *stage, struct record *record)
{
	struct unread *unread = (struct unread *)stage;
	const struct message *message;
	struct message read;

	if (record->kind == RECORD_MESSAGE) {
		message = record_message(record, &read);
		if (message_is_unknown(message)) {
			find(unread, record);
			record->kind = RECORD_FOREIGN;
		} else {
			unread->messages++;
		}
	} else if (record->kind == RECORD_FOREIGN) {
		message = record_message(record, &read);
		if (is_unread(unread, message->value))
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
