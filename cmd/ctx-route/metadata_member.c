#include "metadata_member.h"

#include "given.h"
#include "json/string.h"
#include "json/members.h"
#include "json/write.h"

/* Whether two values are the same but for white space and, in a string, for escapes. */
static bool
is_same(struct json_value value, struct str json)
{
	struct buf packed = BUF_INIT, text = BUF_INIT;
	bool same;

	if (str_eq(json_span(value), json))
		return true;
	if (value.type == JSON_STRING)
		json_write_string(&packed, json_text(value, &text));
	else
		given_pack(&packed, json_span(value));
	same = str_eq(buf_str(&packed), json);
	buf_free(&packed);
	buf_free(&text);
	return same;
}

/* Adds an edit that gives the object the member, unless it has it. Only the first of members of
 * that name stays, since some readers take the first, and others the last. */
static void
set(struct json_edit *edit, struct json_value object, struct str name, struct str json)
{
	struct buf escaped = BUF_INIT;
	bool is_there = false;

	for (struct json_walk walk = json_walk_of(object); json_walk_next(&walk);) {
		if (!json_is(walk.name, name))
			continue;
		if (is_there)
			json_edit_remove(edit, walk.name, walk.value);
		else if (!is_same(walk.value, json))
			json_edit_replace(edit, json_span(walk.value), json);
		is_there = true;
	}
	if (is_there)
		return;
	json_write_escaped(&escaped, name);
	json_edit_add(edit, object, buf_str(&escaped), json);
	buf_free(&escaped);
}

void
metadata_member_put(
    struct json_edit *edit, struct json_value object, struct str name, struct str json)
{
	if (json.len > 0)
		set(edit, object, name, json);
	else
		json_edit_remove_all(edit, object, name);
}
