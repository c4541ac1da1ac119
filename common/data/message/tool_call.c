#include "data/message/tool_call.h"

#include "json/scan.h"
#include "json/string.h"

/* The members of a call that are read. */
/* clang-format off */
#define CALL_TABLE(row) \
	row(CALL_ID, "id") row(CALL_FUNCTION, "function") row(CALL_CUSTOM, "custom") \
	row(CALL_NAME, "name") row(CALL_ARGUMENTS, "arguments") row(CALL_ARGS, "args") \
	row(CALL_INPUT, "input")
/* clang-format on */

enum call_name {
	CALL_TABLE(JSON_NAME_INDEX) CALL_COUNT,
	/* {"id":…,"function":{"name":…,"arguments":…}} or {"id":…,"name":…,"arguments":…} */
	CALL_INSIDE = 1 << CALL_FUNCTION | 1 << CALL_CUSTOM
};

_Static_assert((int)CALL_COUNT <= (int)JSON_PICKED_MAX, "all members of a call have room");

static const struct str call_list[] = {CALL_TABLE(JSON_NAME_TEXT)};

static struct json_names call_names; /* filled once */

/* No arguments, with the padding that readers of JSON need. */
static const char no_arguments[sizeof "{}" + JSON_PADDING] = "{}";

void
call_names_init(struct json_names *names, int list_name)
{
	JSON_NAMES_INIT(&call_names, call_list, CALL_COUNT);
	names->element = &call_names;
	names->list_name = list_name;
	names->inside = CALL_INSIDE;
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
call_read(struct tool_call *call, struct json_value value, const struct json_value *member)
{
	call->value = value;
	call->id = member[CALL_ID];
	call->name = member[CALL_NAME];
	call->arguments = member[CALL_ARGUMENTS];
	for (int i = CALL_ARGS; i < CALL_COUNT && call->arguments.type == JSON_ABSENT; i++)
		call->arguments = member[i];
	if (call->arguments.type == JSON_ARRAY && !json_has_elements(call->arguments))
		call->arguments = json_value_at(no_arguments);
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
	call_read(call, walk->inner.value, member);
	return true;
}
