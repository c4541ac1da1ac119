#include "assignment.h"

#include "base/utf8.h"
#include "data/metadata_type.h"
#include "document.h"
#include "face/options.h"
#include "json/scan.h"
#include "json/write.h"

enum {
	LEVELS = 2,      /* of a record around a value of its metadata */
	SHOWN_MAX = 200, /* bytes of an argument in a diagnostic */
};

/* Scans the JSON of text, with so many levels around it. The scan lies in buf. */
static bool
scan(struct str text, unsigned levels, struct buf *buf, struct json_scan *scan)
{
	buf_reset(buf);
	for (unsigned i = 0; i < levels; i++)
		buf_add_char(buf, '[');
	buf_add_str(buf, text);
	for (unsigned i = 0; i < levels; i++)
		buf_add_char(buf, ']');
	buf_pad(buf);
	return json_scan(buf_str(buf), NULL, scan);
}

/* Sets the JSON of the value that text spells. Returns false when it nests too deep. */
static bool
set_value(struct assignment *assignment, struct str text)
{
	struct buf buf = BUF_INIT;
	struct json_scan found;
	bool is_flat = true;

	if (!scan(text, 0, &buf, &found))
		json_write_string(&assignment->json, text);
	else if (scan(text, LEVELS, &buf, &found))
		document_pack(&assignment->json, text);
	else
		is_flat = false;
	buf_pad(&assignment->json);
	buf_free(&buf);
	return is_flat;
}

/* Whether the text stands for no value of its name, or of any; says what is expected. */
static const char *
find_fault(struct assignment *assignment, const char *argument)
{
	struct str text = str_from(argument), value;
	const char *equals = strchr(argument, '=');
	struct json_scan found;

	if (equals == NULL || equals == argument)
		return "KEY=VALUE";
	if (utf8_valid(text) < text.len)
		return "UTF-8 text";
	assignment->key = str_of(argument, (size_t)(equals - argument));
	value = str_from(equals + 1);
	if (value.len == 0)
		return NULL;
	if (!set_value(assignment, value))
		return "JSON that nests less deep";
	json_scan(buf_str(&assignment->json), NULL, &found);
	return metadata_type_expected(assignment->key, found.value);
}

void
assignment_parse(struct assignment *assignment, const char *option, const char *argument)
{
	const char *expected;
	struct str text;
	size_t shown;

	*assignment = (struct assignment){.json = BUF_INIT};
	expected = find_fault(assignment, argument);
	if (expected == NULL)
		return;
	text = str_from(argument);
	shown = utf8_floor(text, number_least(text.len, SHOWN_MAX));
	options_fail("bad value '%.*s%s' of --%s, expected %s", (int)shown, argument,
	    shown < text.len ? "..." : "", option, expected);
}

void
assignment_free(struct assignment *assignment)
{
	buf_free(&assignment->json);
}
