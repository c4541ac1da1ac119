#include "face/selecting.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/utf8.h"
#include "base/visible.h"

enum { SHOWN_MAX = 60 }; /* bytes of a selector in front of the caret that are shown, and behind */

/* Appends the visible form of text. Returns its width, with one column for each code point. */
static size_t
add_visible(struct buf *out, struct str text)
{
	const char *p = text.ptr, *end = text.ptr + text.len;
	size_t columns = 0;

	while (p < end) {
		char shown[VISIBLE_MAX];
		const char *start = p;
		unsigned len = visible_next(&p, end, shown);
		bool is_itself = len == (size_t)(p - start) && memcmp(shown, start, len) == 0;

		buf_add(out, shown, len);
		columns += is_itself ? 1 : len;
	}
	return columns;
}

/* Prints the part of the text that the place is in, and a caret under the place. */
static void
point(const char *text, size_t at)
{
	struct str all = str_from(text);
	size_t start = at > SHOWN_MAX ? utf8_floor(all, at - SHOWN_MAX) : 0;
	size_t end = all.len - at > SHOWN_MAX ? utf8_floor(all, at + SHOWN_MAX) : all.len;
	struct buf shown = BUF_INIT;
	size_t columns;

	columns = add_visible(&shown, str_of(text + start, at - start));
	add_visible(&shown, str_of(text + at, end - at));
	diag_warn("    %.*s", STR_ARG(buf_str(&shown)));
	diag_warn("    %*s^", (int)columns, "");
	buf_free(&shown);
}

void
selecting_fail(const char *option, const char *text, const struct selector_error *error)
{
	struct buf what = BUF_INIT;

	if (option == NULL)
		buf_add_fmt(&what, "bad selector '%s'", text);
	else
		buf_add_fmt(&what, "bad value '%s' of --%s", text, option);
	diag_warn("%.*s: %.*s; try '%s --help'", STR_ARG(buf_str(&what)),
	    STR_ARG(buf_str(&error->message)), diag_program());
	buf_free(&what);
	point(text, error->at);
	exit(STATUS_USAGE);
}

void
selecting_parse(const struct option_list *texts, const char *option, struct selectors *selectors)
{
	struct selector_error error = {BUF_INIT, 0};

	for (unsigned i = 0; i < texts->count; i++)
		if (!selectors_add(selectors, texts->item[i], &error))
			selecting_fail(option, texts->item[i], &error);
}
