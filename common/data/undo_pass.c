#include "data/undo_pass.h"

#include "json/scan.h"
#include "json/walk.h"

bool
undo_pass_read_key(struct json_value value, struct archive_key *key)
{
	return value.type == JSON_STRING && archive_key_read(json_inner(value), key);
}

bool
undo_pass_open(struct undo_pass *pass, const struct archive_index *index, uint32_t item)
{
	uint32_t newest = archive_index_find(index, &index->item[item].key);
	struct json_scan scan;

	*pass = (struct undo_pass){.text = BUF_INIT};
	if (!archive_index_load(index, newest, &pass->text) ||
	    !json_scan(buf_str(&pass->text), NULL, &scan) || scan.value.type != JSON_OBJECT)
		return false;
	pass->edits = json_find(scan.value, STR("edits"));
	pass->budget = json_find(scan.value, STR("budget"));
	pass->has_wrote = undo_pass_read_key(json_find(pass->budget, STR("wrote")), &pass->wrote);
	pass->is_open = json_find(scan.value, STR("open")).type == JSON_TRUE;
	return true;
}

void
undo_pass_close(struct undo_pass *pass)
{
	buf_free(&pass->text);
}

bool
undo_pass_has_edits(const struct undo_pass *pass)
{
	return pass->edits.type == JSON_ARRAY && !str_eq(json_span(pass->edits), STR("[]"));
}

/* Edits stand in the order of the lines, so those of the first lines come first. */
bool
undo_pass_is_part(const struct undo_pass *pass, const struct undo_pass *whole)
{
	struct str part = json_span(pass->edits);

	if (part.len == 0 || pass->is_open != whole->is_open ||
	    !str_eq(json_span(pass->budget), json_span(whole->budget)))
		return false;
	part.len--; /* the bracket at its end */
	return str_has_prefix(json_span(whole->edits), part) &&
	    (part.len == 1 || whole->edits.ptr[part.len] != '}');
}
