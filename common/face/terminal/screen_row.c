#include "face/terminal/screen_row.h"

#include "base/number.h"
#include "base/text/text.h"

enum { ROLE_COLUMNS = 11, TOKEN_COLUMNS = 7, BLANKS = 2 };

static struct cells
open_cells(struct screen *screen)
{
	return (struct cells){
	    .buf = &screen->text, .utf8 = screen->terminal.utf8, .color = screen->terminal.color};
}

static void
add_cell(struct cells *cells, struct str text, unsigned columns, enum cells_paint paint)
{
	cells->label = columns;
	cells_begin_paint(cells, paint);
	cells_label(cells, text);
	cells_end_paint(cells, paint);
}

/* Adds the last cell, which has no blanks after it. */
static void
add_text(struct screen *screen, struct cells *cells, struct str text, unsigned columns,
    enum cells_paint paint)
{
	buf_reset(&screen->line);
	text_add_visible(&screen->line, text);
	if (text_columns(buf_str(&screen->line)) < columns)
		columns = (unsigned)text_columns(buf_str(&screen->line));
	if (columns > 0)
		add_cell(cells, text, columns, paint);
}

static void
end_row(struct buf *text)
{
	while (text->len > 0 && text->ptr[text->len - 1] == ' ')
		text->len--;
	buf_add_char(text, '\n');
}

void
screen_row_add(struct screen *screen, const struct screen_row *row)
{
	struct cells cells = open_cells(screen);
	unsigned inset = row->inset + row->indent;
	unsigned columns = (unsigned)row->place.len + ROLE_COLUMNS + TOKEN_COLUMNS + BLANKS +
	    row->action_columns + inset;
	unsigned rest = screen->terminal.width > columns ? screen->terminal.width - columns : 0;

	buf_add_str(cells.buf, row->place);
	buf_add_fmt(cells.buf, "%*s", (int)row->indent, "");
	add_cell(&cells, row->role, ROLE_COLUMNS - row->indent, row->paint);
	cells_right(&cells, row->has_tokens ? str_from(number_grouped(row->tokens).text) : STR(""),
	    TOKEN_COLUMNS);
	buf_add_fmt(cells.buf, "%*s", BLANKS, "");
	if (row->text.len == 0 || rest == 0) {
		add_text(screen, &cells, row->action, row->action_columns, row->action_paint);
	} else {
		if (row->action_columns > 0)
			add_cell(&cells, row->action, row->action_columns, row->action_paint);
		buf_add_fmt(cells.buf, "%*s", (int)inset, "");
		add_text(screen, &cells, row->text, rest, row->text_paint);
	}
	end_row(cells.buf);
}

void
screen_row_head(struct screen *screen, struct str place, struct str action, unsigned action_columns)
{
	struct cells cells = open_cells(screen);
	unsigned width = screen->terminal.width;
	unsigned columns =
	    (unsigned)place.len + ROLE_COLUMNS + TOKEN_COLUMNS + BLANKS + action_columns;

	cells_begin_paint(&cells, PAINT_FAINT);
	buf_add_fmt(cells.buf, "%.*s%-*s%*s%*s", STR_ARG(place), ROLE_COLUMNS, "role",
	    TOKEN_COLUMNS, "tokens", BLANKS, "");
	add_cell(&cells, action, action_columns, PAINT_NONE);
	add_text(screen, &cells, STR("text"), width > columns ? width - columns : 0, PAINT_NONE);
	while (cells.buf->ptr[cells.buf->len - 1] == ' ')
		cells.buf->len--;
	cells_end_paint(&cells, PAINT_FAINT);
	buf_add_char(cells.buf, '\n');
}
