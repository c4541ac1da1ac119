#include "data/message/metadata_type.h"

#include "data/message/message.h"
#include "data/message/timestamp.h"

/* The types of members, and the expected form of a value. */
/* clang-format off */
#define TYPE_TABLE(row) \
	row(ANY, NULL) \
	row(STRING, "a string, such as '\"42\"'") \
	row(FLAG, "true or false") \
	row(NUMBER, "a number") \
	row(OBJECT, "an object") \
	row(STRINGS, "an array of strings") \
	row(ORIGIN, "user, assistant, tool_call, tool_result, summary, system, error or injected") \
	row(TIME, "a time, as ISO 8601 or as a number of seconds") \
	row(IDS, "an id, or an array of ids") \
	row(RESOLVED, "true, false or an array of ids") \
	row(CALLS, "an array of calls") \
	row(PARENT, "an id, such as '\"42\"', or null")
/* clang-format on */

enum metadata_type {
#define TYPE_INDEX(index, text) TYPE_##index,
	TYPE_TABLE(TYPE_INDEX)
};

static const unsigned char type_of[METADATA_COUNT] = {
#define METADATA_TYPE(index, name, type) TYPE_##type,
    METADATA_TABLE(METADATA_TYPE)};

static const char *const expected[] = {
#define TYPE_TEXT(index, text) text,
    TYPE_TABLE(TYPE_TEXT)};

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
