#include "data/message/metadata_type.h"

#include "data/message/message.h"
#include "data/message/timestamp.h"
#include "json/string.h"

enum metadata_type {
	TYPE_ANY,
	TYPE_STRING,
	TYPE_FLAG,
	TYPE_NUMBER,
	TYPE_OBJECT,
	TYPE_STRINGS, /* an array of them */
	TYPE_ORIGIN,
	TYPE_TIME,
	TYPE_IDS,      /* a string or an array of strings */
	TYPE_RESOLVED, /* a flag or an array of strings */
	TYPE_CALLS,
	TYPE_PARENT, /* a string or null */
};

static const unsigned char type_of[METADATA_COUNT] = {
#define METADATA_TYPE(index, name, type) TYPE_##type,
    METADATA_TABLE(METADATA_TYPE)};

static const char *const expected[] = {
    [TYPE_ANY] = NULL,
    [TYPE_STRING] = "a string, such as '\"42\"'",
    [TYPE_FLAG] = "true or false",
    [TYPE_NUMBER] = "a number",
    [TYPE_OBJECT] = "an object",
    [TYPE_STRINGS] = "an array of strings",
    [TYPE_ORIGIN] = "user, assistant, tool_call, tool_result, summary, system, error or injected",
    [TYPE_TIME] = "a time, as ISO 8601 or as a number of seconds",
    [TYPE_IDS] = "an id, or an array of ids",
    [TYPE_RESOLVED] = "true, false or an array of ids",
    [TYPE_CALLS] = "an array of calls",
    [TYPE_PARENT] = "an id, such as '\"42\"', or null",
};

static bool
has_type(struct json_value value, enum metadata_type type)
{
	switch (type) {
	case TYPE_STRING:
		return value.type == JSON_STRING;
	case TYPE_FLAG:
		return json_is_bool(value);
	case TYPE_NUMBER:
		return value.type == JSON_NUMBER;
	case TYPE_OBJECT:
		return value.type == JSON_OBJECT;
	case TYPE_STRINGS:
		return json_is_list_of(value, JSON_STRING);
	case TYPE_ORIGIN:
		return origin_of(value) != ORIGIN_NONE;
	case TYPE_TIME:
		return timestamp_read(value) >= 0;
	case TYPE_IDS:
		return value.type == JSON_STRING || json_is_list_of(value, JSON_STRING);
	case TYPE_RESOLVED:
		return json_is_bool(value) || json_is_list_of(value, JSON_STRING);
	case TYPE_CALLS:
		return json_is_list_of(value, JSON_OBJECT);
	case TYPE_PARENT:
		return value.type == JSON_STRING || value.type == JSON_NULL;
	case TYPE_ANY:
		break;
	}
	return true;
}

const char *
metadata_type_expected(struct str name, struct json_value value)
{
	enum metadata_type type = TYPE_ANY;

	for (int i = 0; i < METADATA_COUNT; i++)
		if (str_eq(name, metadata_name_text((enum metadata_name)i)))
			type = (enum metadata_type)type_of[i];
	return has_type(value, type) ? NULL : expected[type];
}
