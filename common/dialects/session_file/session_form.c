#include "dialects/session_file/session_form.h"

#define SESSION_NAME(name) STR_INIT(#name),
static const struct str names[] = {SESSION_VALUES(SESSION_NAME)};

/* The value of that name, which a template has: no other name is in one. */
static struct str
find_value(struct str name, const struct str value[SESSION_VALUE_COUNT])
{
	for (unsigned i = 0; i < SESSION_VALUE_COUNT; i++)
		if (str_eq(names[i], name))
			return value[i];
	return (struct str){NULL, 0};
}

/* Fills the template; quote replaces each '. */
static bool
fill(const char *form, char quote, const struct str value[SESSION_VALUE_COUNT], struct buf *to)
{
	size_t start = to->len;
	bool is_left = false; /* inside <?…> of a missing value */

	while (*form != '\0') {
		const char *end = *form == '<' ? strchr(form, '>') : NULL;
		bool is_if = form[1] == '?';
		struct str found;

		if (end == NULL) {
			if (!is_left)
				buf_add_char(to, *form == '\'' ? quote : *form);
			form++;
			continue;
		}
		form += 1 + is_if;
		found = find_value(str_of(form, (size_t)(end - form)), value);
		if (is_if)
			is_left = end > form && found.ptr == NULL;
		else if (!is_left && found.ptr == NULL) {
			to->len = start;
			return false;
		} else if (!is_left)
			buf_add_str(to, found);
		form = end + 1;
	}
	return true;
}

bool
session_form_write(const char *form, const struct str value[SESSION_VALUE_COUNT], struct buf *to)
{
	return fill(form, '"', value, to);
}

void
session_form_put(struct str text, char mark, struct str with, struct buf *to)
{
	const char *at;

	while (text.len > 0 && (at = memchr(text.ptr, mark, text.len)) != NULL) {
		buf_add(to, text.ptr, (size_t)(at - text.ptr));
		buf_add_str(to, with);
		text = str_rest(text, (size_t)(at + 1 - text.ptr));
	}
	buf_add_str(to, text);
}

void
session_form_say(const char *form, const struct str value[SESSION_VALUE_COUNT], struct buf *to)
{
	fill(form, '\'', value, to);
}
