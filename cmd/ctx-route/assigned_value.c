#include "assigned_value.h"

#include "base/text/utf8.h"
#include "data/message/message.h"
#include "data/message/metadata_type.h"
#include "given.h"
#include "face/options/options.h"
#include "json/scan.h"
#include "json/write.h"

enum {
	LEVELS = 2,      /* of a record around a value of its metadata */
	SHOWN_MAX = 200, /* bytes of an argument in a diagnostic */
};

/* Sets the JSON of the value that text spells. Returns false when it nests too deep. */
static bool
set_value(struct assigned_value *assignment, struct str text)
{
	bool is_flat = true;

	if (!given_is_json(text, 0))
		json_write_string(&assignment->json, text);
	else if (given_is_json(text, LEVELS))
		given_pack(&assignment->json, text);
	else
		is_flat = false;
	buf_pad(&assignment->json);
	return is_flat;
}

/* Returns the expected form if the text is not KEY=VALUE, or NULL. */
static const char *
find_fault(struct assigned_value *assignment, const char *argument)
{
	struct str text = str_from(argument), value;
	const char *equals = strchr(argument, '=');

	if (equals == NULL || equals == argument)
		return "KEY=VALUE";
	if (utf8_valid(text) < text.len)
		return "UTF-8 text";
	assignment->key = str_of(argument, (size_t)(equals - argument));
	value = str_from(equals + 1);
	return value.len == 0 || set_value(assignment, value) ? NULL : "JSON that nests less deep";
}

/* Ends the program, if a fault was found. */
static void
fail(const char *option, const char *argument, const char *expected)
{
	struct str shown = utf8_start(str_from(argument), SHOWN_MAX);

	if (expected != NULL)
		options_fail("bad value '%.*s%s' of --%s, expected %s", STR_ARG(shown),
		    argument[shown.len] != '\0' ? "..." : "", option, expected);
}

void
assigned_value_parse(struct assigned_value *assignment, const char *option, const char *argument)
{
	*assignment = (struct assigned_value){.json = BUF_INIT};
	fail(option, argument, find_fault(assignment, argument));
}

void
assigned_value_check_type(
    const struct assigned_value *assignment, const char *option, const char *argument)
{
	struct json_scan found;

	message_init();
	if (assignment->json.len > 0 && json_scan(buf_str(&assignment->json), NULL, &found))
		fail(option, argument, metadata_type_expected(assignment->key, found.value));
}

void
assigned_value_free(struct assigned_value *assignment)
{
	buf_free(&assignment->json);
}
