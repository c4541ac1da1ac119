#include "face/terminal/cells.h"

#include "base/number.h"
#include "base/text/text.h"

void
cells_label(const struct cells *cells, struct str text)
{
	struct buf visible = BUF_INIT;
	size_t columns;

	text_add_visible(&visible, text);
	columns = text_columns(buf_str(&visible));
	if (columns > cells->label) {
		struct str fit = text_fit(buf_str(&visible), cells->label - 1);

		columns = text_columns(fit) + 1;
		buf_add_str(cells->buf, fit);
		buf_add_str(cells->buf, cells->utf8 ? STR("…") : STR("~"));
	} else {
		buf_add_str(cells->buf, buf_str(&visible));
	}
	buf_add_fmt(cells->buf, "%*s", (int)(cells->label - columns), "");
	buf_free(&visible);
}

void
cells_begin_paint(const struct cells *cells, enum cells_paint paint)
{
	if (cells->color && paint != PAINT_NONE)
		buf_add_fmt(cells->buf, "\033[%dm", (int)paint);
}

void
cells_end_paint(const struct cells *cells, enum cells_paint paint)
{
	if (cells->color && paint != PAINT_NONE)
		buf_add_str(cells->buf, STR("\033[m"));
}

/* A bar in eighths of a column, or in whole ones of ASCII. */
static void
add_bar(const struct cells *cells, uint64_t tokens, enum cells_paint paint)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	double share = cells->whole > 0 ? (double)tokens / (double)cells->whole : 0;
	unsigned parts = (unsigned)((share < 1 ? share : 1) * cells->bar * 8 + 0.5);

	if (parts == 0)
		return;
	buf_add_str(cells->buf, STR("  "));
	cells_begin_paint(cells, paint);
	for (unsigned i = 0; i < (cells->utf8 ? parts / 8 : (parts + 4) / 8); i++)
		buf_add_str(cells->buf, cells->utf8 ? STR("█") : STR("#"));
	if (cells->utf8)
		buf_add_str(cells->buf, str_from(eighths[parts % 8]));
	cells_end_paint(cells, paint);
}

void
cells_number(const struct cells *cells, uint64_t tokens)
{
	struct number_text number = number_grouped(tokens);
	int len = (int)strlen(number.text);
	double share = cells->whole > 0 ? (double)tokens * 100 / (double)cells->whole : 0;

	buf_add_fmt(cells->buf, "%*s%s %*.1f%%", len < CELLS_TOKENS ? CELLS_TOKENS - len : 1, "",
	    number.text, CELLS_SHARE - 2, share);
}

void
cells_row(const struct cells *cells, struct str label, uint64_t tokens, enum cells_paint paint)
{
	cells_label(cells, label);
	cells_number(cells, tokens);
	add_bar(cells, tokens, paint);
	while (cells->buf->len > 0 && cells->buf->ptr[cells->buf->len - 1] == ' ')
		cells->buf->len--;
	buf_add_char(cells->buf, '\n');
}

void
cells_right(const struct cells *cells, struct str text, size_t width)
{
	struct buf visible = BUF_INIT;
	size_t columns;

	text_add_visible(&visible, text);
	columns = text_columns(buf_str(&visible));
	buf_add_fmt(cells->buf, "%*s", (int)(columns < width ? width - columns : 0), "");
	buf_add_str(cells->buf, buf_str(&visible));
	buf_free(&visible);
}

void
cells_dollars(const struct cells *cells, struct str label, double dollars)
{
	cells_label(cells, label);
	buf_add_fmt(cells->buf, "%*s%.4f\n", CELLS_TOKENS - 6, "$", dollars);
}

unsigned
cells_label_fit(unsigned most, unsigned width, unsigned others)
{
	unsigned rest = width > others + CELLS_LABEL_MIN ? width - others : CELLS_LABEL_MIN;

	return rest < most ? rest : most;
}

void
cells_fit(struct cells *cells, unsigned width)
{
	unsigned taken = cells->label + CELLS_TOKENS + CELLS_SHARE + 2;

	if (width > taken)
		cells->bar = width - taken < CELLS_BAR_MAX ? width - taken : CELLS_BAR_MAX;
}
