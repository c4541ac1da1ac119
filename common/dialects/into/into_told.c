#include "dialects/into/into_told.h"

#include "dialects/into/into_patch.h"
#include "json/leaves.h"

/* So many records, such as counts of tokens, may be between the line and the record of the
 * message. */
enum { BETWEEN = 2 };

/* The text that the line reports, if it is short, or absent. */
static struct json_value
told_text(const struct session_layout *format, struct json_value line)
{
	struct json_value text = {.type = JSON_ABSENT};

	for (size_t i = 0; i < INTO_TOLD && text.type == JSON_ABSENT; i++)
		text = session_layout_at(line, format->told[i]);
	if (text.type != JSON_STRING || text.len >= INTO_COPY_MIN)
		text.type = JSON_ABSENT;
	return text;
}

/* The string of the record that is spelled as the text, or absent. */
static struct json_value
find_said(const struct into_unit *unit, const char *name, struct json_value text)
{
	struct json_leaves leaves;
	enum json_leaf kind;

	json_leaves_open(&leaves, json_span(unit->value));
	while ((kind = json_leaves_next(&leaves)) != JSON_LEAF_END)
		if (kind == JSON_LEAF_STRING && str_eq(json_span(leaves.value), json_span(text)) &&
		    json_is(json_leaves_name(&leaves), str_from(name)))
			return leaves.value;
	return (struct json_value){.type = JSON_ABSENT};
}

/* Sets the new text of the record's string, if it has changed. */
static void
find_edit(const struct into *into, const struct into_unit *unit, struct json_value said,
    struct json_value text, struct into_told *told)
{
	uint32_t i = into_patch_first(into, unit->whole.ptr);

	if (unit->is_gone)
		told->text = text;
	for (; i < into->edit_count && into->edit[i].span.ptr <= said.ptr; i++) {
		const struct into_edit *edit = &into->edit[i];

		if (said.ptr >= edit->span.ptr + edit->span.len)
			continue;
		told->text = text;
		told->with = edit->is_removed || unit->is_gone ? STR("") : edit->with;
	}
}

struct into_told
into_told_find(const struct into *into, const struct into_unit *unit)
{
	const struct session_layout *format = into->format;
	uint32_t number = (uint32_t)(unit - into->units.unit);
	struct into_told told = {.text = {.type = JSON_ABSENT}};
	struct json_value text = told_text(format, unit->value), said;

	for (uint32_t i = 2; text.type == JSON_STRING && i < 2 * (BETWEEN + 2); i++) {
		uint32_t beside = i % 2 == 0 ? number - i / 2 : number + i / 2;
		const struct into_unit *other = &into->units.unit[beside];

		if (beside >= into->units.count || !other->is_made)
			continue;
		said = find_said(other, format->says, text);
		if (said.type == JSON_ABSENT)
			continue;
		find_edit(into, other, said, text, &told);
		break;
	}
	return told;
}
