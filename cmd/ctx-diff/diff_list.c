#include "diff_list.h"

#include "base/number.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "face/terminal/screen_row.h"

enum { NUMBER_COLUMNS = 5, CHANGE_COLUMNS = 9, LINES_MOST = 3, BEFORE_MOST = 24, BYTES = 8 };

static const struct change_look {
	struct str word;
	enum cells_paint paint;
} looks[MATCH_CHANGES] = {
    [MATCH_KEPT] = {STR_INIT("kept"), PAINT_FAINT},
    [MATCH_CUT] = {STR_INIT("cut"), PAINT_YELLOW},
    [MATCH_CHANGED] = {STR_INIT("changed"), PAINT_YELLOW},
    [MATCH_GONE] = {STR_INIT("gone"), PAINT_RED},
    [MATCH_ADDED] = {STR_INIT("added"), PAINT_GREEN},
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

/* How many bytes both texts begin with. */
static size_t
common_start(struct str a, struct str b)
{
	size_t most = a.len < b.len ? a.len : b.len, len = 0;

	while (len < most && a.ptr[len] == b.ptr[len])
		len++;
	return len;
}

/* How many bytes of whole lines both texts end with. */
static size_t
common_end(struct str a, struct str b)
{
	size_t most = a.len < b.len ? a.len : b.len, len = 0, lines = 0;

	while (len < most && a.ptr[a.len - 1 - len] == b.ptr[b.len - 1 - len]) {
		len++;
		if (a.ptr[a.len - len] == '\n')
			lines = len - 1;
	}
	return lines;
}

/* Adds what was cut of a message, and what came in its place. */
static void
add_cut(struct diff_list *list, const struct match_row *row)
{
	struct str was = row->was->text, now = row->now->text;
	size_t start = common_start(was, now), line = start, end;
	struct buf text = BUF_INIT;

	buf_add_fmt(&text, "%s tokens before", number_grouped(row->was->tokens).text);
	add_below(list, ' ', buf_str(&text), PAINT_FAINT);
	buf_free(&text);
	while (line > 0 && was.ptr[line - 1] != '\n')
		line--;
	was = str_rest(was, line);
	now = str_rest(now, line);
	end = common_end(str_rest(was, start - line), str_rest(now, start - line));
	was.len -= end;
	now.len -= end;
	add_lines(list, was, start - line, '-', PAINT_RED);
	add_lines(list, now, start - line, '+', PAINT_GREEN);
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
	const struct change_look *look = &looks[row->change];
	enum cells_paint paint = row->change == MATCH_KEPT ? PAINT_NONE : look->paint;

	if (row->was != NULL)
		add_turn(list, row->was);
	screen_row_add(list->screen,
	    &(struct screen_row){.place = set_place(list, row),
		.role = told->role,
		.tokens = told->tokens,
		.has_tokens = true,
		.action = look->word,
		.action_columns = CHANGE_COLUMNS,
		.indent = told->indent,
		.inset = told->is_result ? 2 : 0,
		.text = told->words,
		.paint = paint,
		.action_paint = look->paint,
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

/* Adds what all of it was: how many messages of each kind, and the tokens of both sides. */
static void
add_end(struct diff_list *list, const struct match_rows *rows, const struct told_all *was,
    const struct told_all *now)
{
	struct buf left = BUF_INIT, right = BUF_INIT;

	for (unsigned i = 0; i < MATCH_CHANGES; i++) {
		if (rows->sum[i] == 0)
			continue;
		buf_add_str(&left, left.len > 0 ? screen_joint(list->screen) : STR(""));
		buf_add_fmt(
		    &left, "%s %.*s", number_grouped(rows->sum[i]).text, STR_ARG(looks[i].word));
	}
	buf_add_fmt(&right, "%s, now ", number_grouped(was->tokens).text);
	buf_add_fmt(&right, "%s tokens", number_grouped(now->tokens).text);
	screen_rule(
	    list->screen, left.len > 0 ? buf_str(&left) : STR(""), buf_str(&right), PAINT_FAINT);
	buf_free(&left);
	buf_free(&right);
}

/* Adds the run of kept messages that begins at i, of which those far from others are folded.
 * Returns its end. */
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
