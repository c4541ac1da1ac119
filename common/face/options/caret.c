#include "face/options/caret.h"

#include "base/buf.h"
#include "base/diag.h"
#include "base/text/utf8.h"
#include "base/text/visible.h"

enum { SHOWN_MAX = 60 }; /* bytes that are shown before the caret, and after it */

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

void
caret_point(struct str text, size_t at)
{
	size_t start = at > SHOWN_MAX ? utf8_floor(text, at - SHOWN_MAX) : 0;
	size_t end = text.len - at > SHOWN_MAX ? utf8_floor(text, at + SHOWN_MAX) : text.len;
	struct buf shown = BUF_INIT;
	size_t columns;

	columns = add_visible(&shown, str_of(text.ptr + start, at - start));
	add_visible(&shown, str_of(text.ptr + at, end - at));
	diag_warn("    %.*s", STR_ARG(buf_str(&shown)));
	diag_warn("    %*s^", (int)columns, "");
	buf_free(&shown);
}
