#include "json/leaves.h"

#include "json/path/path.h"
#include "json/members.h"

void
json_leaves_open(struct json_leaves *leaves, struct str text)
{
	leaves->depth = 0;
	leaves->is_name = false;
	leaves->at = text.ptr;
	leaves->end = text.ptr + text.len;
}

struct json_value
json_leaves_name(const struct json_leaves *leaves)
{
	for (unsigned i = leaves->depth; i > 0; i--)
		if (leaves->level[i - 1].is_object)
			return leaves->level[i - 1].name;
	return json_absent;
}

static void
push(struct json_leaves *leaves, bool is_object)
{
	struct json_level *level = &leaves->level[leaves->depth++];

	level->from = leaves->at;
	level->name.type = JSON_ABSENT;
	level->index = 0;
	level->is_object = is_object;
	leaves->is_name = is_object;
}

static enum json_leaf
take_string(struct json_leaves *leaves)
{
	leaves->value = json_value_at(leaves->at);
	leaves->at += leaves->value.len;
	if (!leaves->is_name)
		return JSON_LEAF_STRING;
	leaves->is_name = false;
	leaves->level[leaves->depth - 1].name = leaves->value;
	return JSON_LEAF_NAME;
}

enum json_leaf
json_leaves_next(struct json_leaves *leaves)
{
	while (leaves->at < leaves->end) {
		char c = *leaves->at;

		if (c == '"')
			return take_string(leaves);
		if (byte_is_digit(c) || c == '-') {
			leaves->value = json_value_at(leaves->at);
			leaves->at += leaves->value.len;
			return JSON_LEAF_NUMBER;
		}
		if (c == '{' || c == '[')
			push(leaves, c == '{');
		else if (c == '}' || c == ']')
			leaves->depth--;
		else if (c == ',') {
			/* A name or the next element follows. */
			leaves->is_name = leaves->level[leaves->depth - 1].is_object;
			leaves->level[leaves->depth - 1].index++;
		}
		leaves->at++; /* a letter of true, false or null, too */
	}
	return JSON_LEAF_END;
}
