#include "face/terminal/screen.h"

#include "base/number.h"
#include "base/text/text.h"

struct str
screen_joint(const struct screen *screen)
{
	return screen->terminal.utf8 ? STR(" · ") : STR(" | ");
}

void
screen_free(struct screen *screen)
{
	buf_free(&screen->text);
	buf_free(&screen->line);
	buf_free(&screen->scratch);
}

static struct cells
cells_of(struct screen *screen)
{
	return (struct cells){
	    .buf = &screen->text, .utf8 = screen->terminal.utf8, .color = screen->terminal.color};
}

static void
add_dashes(struct screen *screen, size_t count)
{
	while (count-- > 0)
		buf_add_str(&screen->text, screen->terminal.utf8 ? STR("─") : STR("-"));
}

void
screen_rule(struct screen *screen, struct str left, struct str right, enum cells_paint paint)
{
	enum { BEFORE = 8, BEHIND = 2, LEAST = 2, BLANKS = 2, LABEL_LEAST = 12 };
	struct cells cells = cells_of(screen);
	size_t width = screen->terminal.width, before = BEFORE, rest, label, least;

	buf_reset(&screen->scratch);
	text_add_visible(&screen->scratch, left);
	label = text_columns(buf_str(&screen->scratch));
	rest = BLANKS + LEAST + (right.len > 0 ? text_columns(right) + BLANKS + BEHIND : 0);
	least = right.len > 0 ? number_least(label, LABEL_LEAST) : label;
	if (width < before + least + rest)
		before = LEAST;
	if (right.len > 0 && width < before + least + rest) {
		screen_rule(screen, left, STR(""), paint);
		screen_rule(screen, right, STR(""), paint);
		return;
	}
	if (width < before + 1 + rest)
		width = before + 1 + rest;
	cells.label = (unsigned)number_least(label, width - before - rest);
	cells_begin_paint(&cells, paint);
	add_dashes(screen, before);
	buf_add_char(&screen->text, ' ');
	cells_label(&cells, left);
	buf_add_char(&screen->text, ' ');
	add_dashes(screen, width - before - cells.label - rest + LEAST);
	if (right.len > 0) {
		buf_add_fmt(&screen->text, " %.*s ", STR_ARG(right));
		add_dashes(screen, BEHIND);
	}
	cells_end_paint(&cells, paint);
	buf_add_char(&screen->text, '\n');
}

void
screen_label(struct screen *screen, struct str what)
{
	struct cells cells = cells_of(screen);

	cells_begin_paint(&cells, PAINT_FAINT);
	add_dashes(screen, 2);
	buf_add_char(&screen->text, ' ');
	text_add_visible(&screen->text, what);
	cells_end_paint(&cells, PAINT_FAINT);
	buf_add_char(&screen->text, '\n');
}

/* Sets line to the visible form of a line. Its tabs stay, or are blanks up to the next stop, so
 * that the line can be wrapped. */
static struct str
make_visible(struct screen *screen, struct str text, size_t column)
{
	struct buf *line = &screen->line;

	buf_reset(line);
	for (;;) {
		const char *tab = text.len > 0 ? memchr(text.ptr, '\t', text.len) : NULL;
		size_t len = tab != NULL ? (size_t)(tab - text.ptr) : text.len, from = line->len;

		text_add_visible(line, str_of(text.ptr, len));
		if (tab == NULL)
			return buf_str(line);
		column += text_columns(str_rest(buf_str(line), from));
		if (screen->wrap == 0) {
			buf_add_char(line, '\t');
		} else {
			buf_add_fmt(line, "%*s", (int)(8 - column % 8), "");
			column += 8 - column % 8;
		}
		text = str_rest(text, len + 1);
	}
}

/* Takes as much off the visible line as fits, up to a blank in its second half. */
static struct str
take_row(struct str *line, size_t columns)
{
	struct str row = text_fit(*line, columns);
	size_t end = row.len;

	if (row.len == 0 || row.len == line->len) {
		row = *line;
		*line = STR("");
		return row;
	}
	while (end > row.len / 2 && row.ptr[end - 1] != ' ' && row.ptr[end] != ' ')
		end--;
	if (end > row.len / 2)
		row.len = end;
	*line = str_rest(*line, row.len);
	if (line->len > 0 && line->ptr[0] == ' ')
		*line = str_rest(*line, 1);
	else if (row.len > 1 && row.ptr[row.len - 1] == ' ')
		row.len--;
	return row;
}

static void
add_line(struct screen *screen, struct str text, struct str prefix, enum cells_paint paint)
{
	struct cells cells = cells_of(screen);
	size_t indent = text_columns(prefix);
	size_t columns = screen->wrap > indent + 8 ? screen->wrap - indent : 0;
	struct str line = make_visible(screen, text, indent);

	do {
		struct str row = columns > 0 ? take_row(&line, columns) : line;

		cells_begin_paint(&cells, paint);
		buf_add_str(&screen->text, prefix);
		buf_add_str(&screen->text, row);
		cells_end_paint(&cells, paint);
		buf_add_char(&screen->text, '\n');
	} while (columns > 0 && line.len > 0);
}

void
screen_lines(struct screen *screen, struct str text, struct str prefix, enum cells_paint paint)
{
	do {
		struct str line = str_take_line(&text);

		if (line.len > 0 && line.ptr[line.len - 1] == '\r')
			line.len--;
		add_line(screen, line, prefix, paint);
	} while (text.len > 0);
}
