#include "face/page/page_text.h"

#include "base/text/text.h"
#include "base/text/utf8.h"
#include "base/text/visible.h"
#include "face/terminal/cells.h"

/* Appends text that is its own visible form. */
static void
add_escaped(struct buf *out, struct str text)
{
	size_t from = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c != '&' && c != '<' && c != '>')
			continue;
		buf_add(out, text.ptr + from, i - from);
		buf_add_str(out, c == '&' ? STR("&amp;") : c == '<' ? STR("&lt;") : STR("&gt;"));
		from = i + 1;
	}
	buf_add(out, text.ptr + from, text.len - from);
}

static void
add_text(struct buf *out, struct str text, bool is_line)
{
	const char *p = text.ptr, *end = text.len > 0 ? p + text.len : p;
	char form[VISIBLE_MAX];

	while (p < end) {
		size_t len = visible_ascii(str_of(p, (size_t)(end - p)));

		if (len > 0) {
			add_escaped(out, str_of(p, len));
			p += len;
		} else if (*p == '\n' || *p == '\t') {
			buf_add_char(out, is_line ? ' ' : *p);
			p++;
		} else {
			len = visible_next(&p, end, form);
			buf_add(out, form, len);
		}
	}
}

void
page_text_add(struct buf *out, struct str text)
{
	add_text(out, text, false);
}

void
page_text_add_line(struct buf *out, struct str text)
{
	add_text(out, text, true);
}

void
page_text_fit(struct buf *label, struct str text)
{
	enum { COLUMNS = 60, MOST = COLUMNS * 4 };
	struct buf scratch = BUF_INIT;
	struct str visible, fit;

	text_add_visible(&scratch, utf8_start(text, MOST));
	visible = scratch.len > 0 ? buf_str(&scratch) : STR("");
	fit = text_fit(visible, COLUMNS);
	buf_add_str(label, fit);
	if (fit.len < visible.len || text.len > MOST)
		buf_add_str(label, STR("…"));
	buf_free(&scratch);
}

/* The elements for the paints of a screen; none for the others. */
static const char *
element_of(int paint)
{
	switch (paint) {
	case PAINT_RED:
		return "del";
	case PAINT_GREEN:
		return "ins";
	case PAINT_FAINT:
		return "i";
	case PAINT_BLUE:
		return "b";
	default:
		return NULL;
	}
}

/* No escape is of a record: the visible form has none. */
void
page_text_add_painted(struct buf *out, struct str painted)
{
	const char *open = NULL;
	const char *escape;

	while (painted.len > 0 && (escape = memchr(painted.ptr, '\x1b', painted.len)) != NULL) {
		struct str rest = str_rest(painted, (size_t)(escape - painted.ptr) + 2);
		int paint = 0;
		size_t i = 0;

		add_escaped(out, str_of(painted.ptr, (size_t)(escape - painted.ptr)));
		for (; i < rest.len && rest.ptr[i] != 'm'; i++)
			paint = 10 * paint + rest.ptr[i] - '0';
		if (open != NULL)
			buf_add_fmt(out, "</%s>", open);
		open = element_of(paint);
		if (open != NULL)
			buf_add_fmt(out, "<%s>", open);
		painted = str_rest(rest, i + 1);
	}
	add_escaped(out, painted);
}
