#include "data/archive/undo_pass.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/scan.h"

bool
undo_pass_read_key(struct json_value value, struct archive_key *key)
{
	return value.type == JSON_STRING && archive_key_read(json_inner(value), key);
}

bool
undo_pass_next_session(struct json_walk *sessions, struct archive_key *key)
{
	while (json_walk_next(sessions))
		if (undo_pass_read_key(sessions->value, key))
			return true;
	return false;
}

static bool
is_true(struct json_value object, struct str name)
{
	return json_find(object, name).type == JSON_TRUE;
}

static void
add_wrote(struct undo_pass *pass, struct json_value wrote)
{
	struct archive_key key;

	if (!undo_pass_read_key(wrote, &key))
		return;
	LIST_ADD(pass->wrote, pass->wrote_count, pass->wrote_cap, key);
}

/* Whether the edit is one of a line that is no budget record. */
static bool
is_of_line(struct json_value edit)
{
	return json_find(edit, STR("was")).type != JSON_ABSENT || is_true(edit, STR("new")) ||
	    (json_find(edit, STR("gone")).type != JSON_ABSENT && !is_true(edit, STR("budget")));
}

static void
read_edits(struct undo_pass *pass)
{
	if (pass->edits.type != JSON_ARRAY)
		return;
	for (struct json_walk walk = json_walk_of(pass->edits); json_walk_next(&walk);) {
		add_wrote(pass, json_find(walk.value, STR("wrote")));
		pass->is_open = pass->is_open || is_true(walk.value, STR("open"));
		pass->has_lines = pass->has_lines || is_of_line(walk.value);
	}
}

bool
undo_pass_open(struct undo_pass *pass, const struct archive_index *index, uint32_t item)
{
	uint32_t newest = archive_index_find(index, &index->item[item].key);
	struct json_value budget;
	struct json_scan scan;

	*pass = (struct undo_pass){.text = BUF_INIT};
	if (!archive_index_load(index, newest, &pass->text) ||
	    !json_scan(buf_str(&pass->text), NULL, &scan) || scan.value.type != JSON_OBJECT)
		return false;
	pass->edits = json_find(scan.value, STR("edits"));
	pass->sessions = json_find(scan.value, STR("sessions"));
	pass->is_whole = pass->sessions.type == JSON_ARRAY;
	pass->id = json_find(scan.value, STR("id"));
	pass->is_old = pass->id.type == JSON_ABSENT;
	pass->is_open = pass->is_old && is_true(scan.value, STR("open"));
	budget = json_find(scan.value, STR("budget"));
	pass->had = json_find(budget, STR("had"));
	add_wrote(pass, json_find(budget, STR("wrote")));
	read_edits(pass);
	return true;
}

bool
undo_pass_is_empty(const struct undo_pass *pass)
{
	return !json_has_elements(pass->edits) && !json_has_elements(pass->had) &&
	    pass->wrote_count == 0 && !pass->is_open;
}

void
undo_pass_close(struct undo_pass *pass)
{
	buf_free(&pass->text);
	free(pass->wrote);
}
