#include "policy/digest/wrapping.h"

#include "base/byte.h"

/* Elements that clients write, each ended by its own tag. */
static const struct str elements[] = {STR_INIT("ide_opened_file"), STR_INIT("ide_selection"),
    STR_INIT("ide_diagnostics"), STR_INIT("environment_context"), STR_INIT("environment_details"),
    STR_INIT("user_instructions"), STR_INIT("system-reminder"), STR_INIT("command-message"),
    STR_INIT("command-name"), STR_INIT("local-command-stdout"), STR_INIT("attachments"),
    STR_INIT("context"), STR_INIT("reminder"), STR_INIT("uploaded_files"),
    STR_INIT("reminderInstructions"), STR_INIT("additional_data")};

/* Elements in which clients put the user's words. */
static const struct str requests[] = {STR_INIT("userRequest"), STR_INIT("user_query")};

static struct str
behind(struct str text, const char *place, size_t len)
{
	return str_of(place + len, text.len - (size_t)(place - text.ptr) - len);
}

/* Whether the text begins with the tag of the element. */
static bool
begins_with(struct str text, struct str name)
{
	return text.len >= name.len + 2 && text.ptr[0] == '<' && text.ptr[name.len + 1] == '>' &&
	    str_has_prefix(str_of(text.ptr + 1, text.len - 1), name);
}

/* The text behind the element that it begins with, or the text itself. */
static struct str
behind_element(struct str text)
{
	for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
		struct str name = elements[i], rest = text;
		const char *end;

		if (!begins_with(text, name))
			continue;
		while ((end = str_find(rest, STR("</"))) != NULL) {
			rest = behind(rest, end, 2);
			if (str_has_prefix(rest, name))
				return str_trim(
				    behind(rest, rest.ptr, name.len + (rest.len > name.len)));
		}
	}
	return text;
}

/* The text inside the element of a request that it begins with, or the text itself. */
static struct str
inside_request(struct str text)
{
	for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
		struct str name = requests[i], inside, after;
		const char *end;

		if (!begins_with(text, name))
			continue;
		inside = behind(text, text.ptr, name.len + 2);
		for (after = inside; (end = str_find(after, STR("</"))) != NULL;) {
			after = behind(after, end, 2);
			if (str_has_prefix(after, name))
				return str_trim(str_of(inside.ptr, (size_t)(end - inside.ptr)));
		}
	}
	return text;
}

struct str
wrapping_inside(struct str text)
{
	const struct str heading = STR_INIT("# Context from my IDE setup");
	const struct str request = STR_INIT("## My request");
	struct str before;

	text = str_trim(text);
	do {
		before = text;
		text = behind_element(text);
	} while (text.len < before.len);
	text = inside_request(text);
	if (str_has_prefix(text, heading) && str_find(text, request) != NULL) {
		struct str rest = behind(text, str_find(text, request), request.len);
		const char *lf = rest.len > 0 ? memchr(rest.ptr, '\n', rest.len) : NULL;

		if (lf != NULL)
			return str_trim(behind(rest, lf, 1));
	}
	return text;
}

bool
wrapping_is_command(struct str words)
{
	if (words.len < 2 || words.ptr[0] != '/')
		return false;
	for (size_t i = 1; i < words.len; i++)
		if (!byte_is_letter(words.ptr[i]) && memchr("-_:", words.ptr[i], 3) == NULL)
			return false;
	return true;
}
