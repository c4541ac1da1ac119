#include "diff_list.h"

#include "base/number.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "cut_lines.h"
#include "face/terminal/screen_row.h"

enum { NUMBER_COLUMNS = 5, CHANGE_COLUMNS = 9, LINES_MOST = 3, BEFORE_MOST = 24, BYTES = 8 };

static const enum cells_paint paints[MATCH_CHANGES] = {
    [MATCH_KEPT] = PAINT_FAINT,
    [MATCH_CUT] = PAINT_YELLOW,
    [MATCH_CHANGED] = PAINT_YELLOW,
    [MATCH_GONE] = PAINT_RED,
    [MATCH_ADDED] = PAINT_GREEN,
};

static struct str
dots(const struct diff_list *list)
{
	return list->screen->terminal.utf8 ? STR("…") : STR("...");
}

static void
flush(struct diff_list *list)
{
	if (list->screen->text.len > 0)
		run_add(list->run, buf_str(&list->screen->text));
	buf_reset(&list->screen->text);
}

static void
add_number(struct diff_list *list, const struct told *told)
{
	buf_reset(&list->part);
	if (told != NULL && told->number > 0)
		line_number_add(&list->part, told->number);
	buf_add_fmt(&list->line, "%*.*s", NUMBER_COLUMNS,
	    STR_ARG(list->part.len > 0 ? buf_str(&list->part) : STR("")));
}

/* Sets line to the columns of both numbers. */
static struct str
set_place(struct diff_list *list, const struct match_row *row)
{
	buf_reset(&list->line);
	add_number(list, row->was);
	buf_add_str(&list->line, STR("  "));
	add_number(list, row->now);
	buf_add_char(&list->line, ' ');
	return buf_str(&list->line);
}

/* Sets line to the columns of a line that has no numbers, with a mark in the last two of them. */
static struct str
set_mark(struct diff_list *list, char mark)
{
	buf_reset(&list->line);
	buf_add_fmt(&list->line, "%*s%c ", SCREEN_ROW_PLACE - 2, "", mark);
	return buf_str(&list->line);
}

/* Adds a line of text below a message, as wide as the screen. */
static void
add_below(struct diff_list *list, char mark, struct str text, enum cells_paint paint)
{
	struct cells cells = {.buf = &list->screen->text,
	    .utf8 = list->screen->terminal.utf8,
	    .color = list->screen->terminal.color};
	unsigned width = list->screen->terminal.width;

	cells_begin_paint(&cells, paint);
	buf_add_str(cells.buf, set_mark(list, mark));
	cells.buf->len -= text.len == 0;
	buf_reset(&list->line);
	text_add_visible(&list->line, text);
	cells.label = width > 2 * SCREEN_ROW_PLACE ? width - SCREEN_ROW_PLACE : SCREEN_ROW_PLACE;
	if (text_columns(buf_str(&list->line)) < cells.label)
		cells.label = (unsigned)text_columns(buf_str(&list->line));
	cells_label(&cells, text);
	cells_end_paint(&cells, paint);
	buf_add_char(cells.buf, '\n');
}

/* Appends the line, with blanks for its tabs. */
static void
add_untabbed(struct buf *buf, struct str line)
{
	for (size_t i = 0; i < line.len; i++) {
		if (line.ptr[i] == '\t')
			buf_add_str(buf, STR("    "));
		else
			buf_add_char(buf, line.ptr[i]);
	}
}

/* Adds the first lines of a side of a cut, the first one from the place on where both part. */
static void
add_lines(struct diff_list *list, struct str text, size_t same, char mark, enum cells_paint paint)
{
	size_t from = same > BEFORE_MOST ? utf8_ceil(text, same - BEFORE_MOST) : 0;
	uint64_t shown = 0, more = 0;
	struct buf line = BUF_INIT;

	while (text.len > 0) {
		struct str next = str_take_line(&text);

		if (shown == LINES_MOST) {
			more++;
			continue;
		}
		buf_reset(&line);
		buf_add_str(&line, shown == 0 && from > 0 ? dots(list) : STR(""));
		next = str_rest(next, shown == 0 ? from : 0);
		add_untabbed(&line, utf8_start(next, list->screen->terminal.width * BYTES));
		add_below(list, mark, line.len > 0 ? buf_str(&line) : STR(""), paint);
		shown++;
	}
	buf_reset(&line);
	buf_add_fmt(&line, "%.*s %s more line%s", STR_ARG(dots(list)), number_grouped(more).text,
	    more > 1 ? "s" : "");
	if (more > 0)
		add_below(list, mark, buf_str(&line), paint);
	buf_free(&line);
}

/* Adds the lines that were cut from a message, and the lines in their place. */
static void
add_cut(struct diff_list *list, const struct match_row *row)
{
	struct cut_lines cut = cut_lines_find(row->was->text, row->now->text);
	struct buf text = BUF_INIT;

	buf_add_fmt(&text, "%s tokens before", number_grouped(row->was->tokens).text);
	add_below(list, ' ', buf_str(&text), PAINT_FAINT);
	buf_free(&text);
	add_lines(list, cut.was, cut.same, '-', PAINT_RED);
	add_lines(list, cut.now, cut.same, '+', PAINT_GREEN);
}

static void
add_calls(struct diff_list *list, const struct told *told, enum cells_paint paint)
{
	for (uint32_t i = 0; i < told->calls; i++)
		screen_row_add(list->screen,
		    &(struct screen_row){.place = set_mark(list, ' '),
			.role = told->call[i].tool,
			.tokens = told->call[i].tokens,
			.has_tokens = true,
			.action_columns = CHANGE_COLUMNS,
			.indent = told->indent,
			.inset = 2,
			.text = told->call[i].use,
			.paint = paint != PAINT_NONE ? paint : PAINT_BLUE,
			.text_paint = paint});
}

/* Adds a rule where a turn begins, as that side counts them which the line is of. */
static void
add_turn(struct diff_list *list, const struct told *told)
{
	struct buf text = BUF_INIT;

	buf_add_fmt(&text, "turn %u", told->turn);
	if (told->turn > 1 && told->turn != list->turn)
		screen_rule(list->screen, buf_str(&text), STR(""), PAINT_FAINT);
	if (told->turn > 0)
		list->turn = told->turn;
	buf_free(&text);
}

static void
add_row(struct diff_list *list, const struct match_row *row)
{
	const struct told *told = row->now != NULL ? row->now : row->was;
	enum cells_paint paint = row->change == MATCH_KEPT ? PAINT_NONE : paints[row->change];

	if (row->was != NULL)
		add_turn(list, row->was);
	screen_row_add(list->screen,
	    &(struct screen_row){.place = set_place(list, row),
		.role = told->role,
		.tokens = told->tokens,
		.has_tokens = true,
		.action = match_word(row->change),
		.action_columns = CHANGE_COLUMNS,
		.indent = told->indent,
		.inset = told->is_result ? 2 : 0,
		.text = told->words,
		.paint = paint,
		.action_paint = paints[row->change],
		.text_paint = paint});
	add_calls(list, told, paint);
	if (row->change == MATCH_CUT || row->change == MATCH_CHANGED)
		add_cut(list, row);
}

static void
add_fold(struct diff_list *list, size_t count)
{
	struct buf text = BUF_INIT;

	buf_add_fmt(&text, "%.*s %s messages as they were", STR_ARG(dots(list)),
	    number_grouped(count).text);
	add_below(list, ' ', buf_str(&text), PAINT_FAINT);
	buf_free(&text);
}

/* Adds the totals: the number of messages of each kind, and the tokens of both sides. */
static void
add_end(struct diff_list *list, const struct match_rows *rows, const struct told_all *was,
    const struct told_all *now)
{
	struct buf left = BUF_INIT, right = BUF_INIT;

	match_add_sums(rows, screen_joint(list->screen), &left);
	match_add_tokens(was, now, &right);
	screen_rule(
	    list->screen, left.len > 0 ? buf_str(&left) : STR(""), buf_str(&right), PAINT_FAINT);
	buf_free(&left);
	buf_free(&right);
}

/* Adds the run of kept messages that begins at i, folding those far from changes. Returns its
 * end. */
static size_t
add_kept(struct diff_list *list, const struct match_rows *rows, size_t i)
{
	size_t end = i, near = list->context < rows->count ? (size_t)list->context : rows->count;
	size_t first = i, last;

	while (end < rows->count && rows->row[end].change == MATCH_KEPT)
		end++;
	if (i > 0)
		first = end - i > near ? i + near : end;
	last = end == rows->count ? end : end - first > near ? end - near : first;
	/* The line of a fold has room for one message. */
	if (last - first == 1)
		last = first;
	for (; i < end; i++) {
		if (i == first && last > first) {
			add_fold(list, last - first);
			list->turn = 0;
			i = last;
		}
		if (i < end)
			add_row(list, &rows->row[i]);
		flush(list);
	}
	return end;
}

void
diff_list_write(struct diff_list *list, const struct match_rows *rows, const struct told_all *was,
    const struct told_all *now)
{
	size_t i = 0;

	screen_row_head(list->screen, STR("  OLD    NEW "), STR("diff"), CHANGE_COLUMNS);
	while (i < rows->count) {
		if (rows->row[i].change == MATCH_KEPT)
			i = add_kept(list, rows, i);
		else
			add_row(list, &rows->row[i++]);
		flush(list);
	}
	add_end(list, rows, was, now);
	flush(list);
	buf_free(&list->line);
	buf_free(&list->part);
}
