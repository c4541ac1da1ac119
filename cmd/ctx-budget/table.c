#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "report.h"

/*
 * The table for people. Each column is as wide as its widest cell, and the bars take the rest of
 * the line.
 *
 *     used                   12,345   9.6%  ████▌
 */
enum {
	TOKENS_WIDTH = 13,
	SHARE_WIDTH = 8,
	LABEL_MIN = 16,
	LABEL_MAX = 40,
	BAR_MAX = 40,
	FILE_WIDTH = 32
};

/* Colours, by number in the control sequence that selects them (ECMA-48, SGR). */
enum paint { PAINT_NONE, PAINT_RED = 31, PAINT_GREEN = 32, PAINT_YELLOW = 33, PAINT_BLUE = 34 };

struct table {
	struct buf *buf;
	unsigned label;
	unsigned bar;
	bool utf8;
	bool color;
	uint64_t whole; /* the number that a full bar stands for */
};

/* The label in its visible form, cut or padded to its column. */
static void
add_label(const struct table *table, struct str text)
{
	struct buf visible = BUF_INIT;
	size_t columns;

	text_add_visible(&visible, text);
	columns = text_columns(buf_str(&visible));
	if (columns > table->label) {
		struct str fit = text_fit(buf_str(&visible), table->label - 1);

		columns = text_columns(fit) + 1;
		buf_add_str(table->buf, fit);
		buf_add_str(table->buf, table->utf8 ? STR("…") : STR("~"));
	} else {
		buf_add_str(table->buf, buf_str(&visible));
	}
	buf_add_fmt(table->buf, "%*s", (int)(table->label - columns), "");
	buf_free(&visible);
}

static void
begin_paint(const struct table *table, enum paint paint)
{
	if (table->color && paint != PAINT_NONE)
		buf_add_fmt(table->buf, "\033[%dm", (int)paint);
}

static void
end_paint(const struct table *table, enum paint paint)
{
	if (table->color && paint != PAINT_NONE)
		buf_add_str(table->buf, STR("\033[m"));
}

/* The colour of what is used: whether all is well, compaction is due, or no room is left. */
static enum paint
paint_of(const struct budget *budget)
{
	if (budget->remaining == 0)
		return PAINT_RED;
	return budget->compact ? PAINT_YELLOW : PAINT_GREEN;
}

/* A bar in eighths of a column, or in whole ones of ASCII. */
static void
add_bar(const struct table *table, uint64_t tokens, enum paint paint)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	double share = table->whole > 0 ? (double)tokens / (double)table->whole : 0;
	unsigned parts = (unsigned)((share < 1 ? share : 1) * table->bar * 8 + 0.5);

	if (parts == 0)
		return;
	buf_add_str(table->buf, STR("  "));
	begin_paint(table, paint);
	for (unsigned i = 0; i < (table->utf8 ? parts / 8 : (parts + 4) / 8); i++)
		buf_add_str(table->buf, table->utf8 ? STR("█") : STR("#"));
	if (table->utf8)
		buf_add_str(table->buf, str_from(eighths[parts % 8]));
	end_paint(table, paint);
}

static void
trim_right(struct buf *buf)
{
	while (buf->len > 0 && buf->ptr[buf->len - 1] == ' ')
		buf->len--;
}

/* A number of tokens and its share of the whole. */
static void
add_number(const struct table *table, uint64_t tokens)
{
	struct buf number = BUF_INIT;
	double share = table->whole > 0 ? (double)tokens * 100 / (double)table->whole : 0;

	number_write_grouped(&number, tokens);
	buf_add_fmt(table->buf, "%*s%.*s%*.1f%%",
	    (int)(number.len < TOKENS_WIDTH ? TOKENS_WIDTH - number.len : 1), "", (int)number.len,
	    number.ptr, SHARE_WIDTH - 1, share);
	buf_free(&number);
}

static void
add_row(const struct table *table, struct str label, uint64_t tokens, enum paint paint)
{
	add_label(table, label);
	add_number(table, tokens);
	add_bar(table, tokens, paint);
	trim_right(table->buf);
	buf_add_char(table->buf, '\n');
}

/* The text in its visible form, aligned to the right of its column. */
static void
add_right(const struct table *table, struct str text, size_t width)
{
	struct buf visible = BUF_INIT;
	size_t columns;

	text_add_visible(&visible, text);
	columns = text_columns(buf_str(&visible));
	buf_add_fmt(table->buf, "%*s", (int)(columns < width ? width - columns : 0), "");
	buf_add_str(table->buf, buf_str(&visible));
	buf_free(&visible);
}

static void
add_verdict(const struct report *report, const struct table *table)
{
	const struct budget *budget = report->budget;

	add_label(table, STR("compact"));
	begin_paint(table, paint_of(budget));
	buf_add_fmt(table->buf, "%*s", TOKENS_WIDTH, budget->compact ? "yes" : "no");
	end_paint(table, paint_of(budget));
	for (enum budget_reason r = 0; r < BUDGET_REASONS; r++)
		if (budget_has(budget, r)) {
			buf_add_str(table->buf, STR("  "));
			buf_add_str(table->buf, budget_reason_name(r));
		}
	buf_add_char(table->buf, '\n');
	add_label(table, STR("estimator"));
	add_right(table, str_from(budget->estimator), TOKENS_WIDTH);
	buf_add_char(table->buf, '\n');
}

/* The name of a file, as much of its end as fits into the column of labels. */
static void
add_file(const struct table *table, const char *file)
{
	struct buf visible = BUF_INIT;
	struct str text;

	text_add_visible(&visible, str_from(file));
	text = buf_str(&visible);
	if (text_columns(text) > table->label) {
		while (text_columns(text) > table->label - 1) {
			size_t len = text_fit(text, 1).len;

			len = len > 0 ? len : text_fit(text, 2).len;
			text = str_of(text.ptr + len, text.len - len);
		}
		buf_add_str(table->buf, table->utf8 ? STR("…") : STR("~"));
		add_label(&(struct table){.buf = table->buf, .label = table->label - 1}, text);
	} else {
		add_label(table, text);
	}
	buf_free(&visible);
}

void
report_write_row(
    const struct report *report, const struct terminal *terminal, bool is_next, struct buf *buf)
{
	const struct budget *budget = report->budget;
	struct table table = {.buf = buf,
	    .label = FILE_WIDTH,
	    .utf8 = terminal->utf8,
	    .color = terminal->color,
	    .whole = budget->window};
	struct buf remaining = BUF_INIT;

	if (!is_next)
		buf_add_fmt(buf, "%-*s%*s%*s%*s\n", (int)table.label, "file", TOKENS_WIDTH, "used",
		    SHARE_WIDTH, "share", TOKENS_WIDTH, "remaining");
	number_write_grouped(&remaining, budget->remaining);
	add_file(&table, report->file);
	add_number(&table, budget->used);
	buf_add_fmt(buf, "%*.*s", TOKENS_WIDTH, (int)remaining.len, remaining.ptr);
	if (budget->compact) {
		begin_paint(&table, paint_of(budget));
		buf_add_str(buf, STR("  compact:"));
		report_write_reasons(budget, buf);
		end_paint(&table, paint_of(budget));
	}
	buf_add_char(buf, '\n');
	buf_free(&remaining);
}

static void
add_costs(const struct report *report, const struct table *table)
{
	struct price_row {
		struct str label;
		double dollars;
	} row[] = {{STR("next request"), report->price.full},
	    {STR("with cached prefix"), report->price.cached}};

	if (report->model == NULL)
		return;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		add_label(table, row[i].label);
		buf_add_fmt(table->buf, "%*s%.4f\n", TOKENS_WIDTH - 6, "$", row[i].dollars);
	}
}

static void
add_calibration(const struct report *report, struct buf *buf)
{
	const struct calibration *c = &report->estimator->calibration;

	if (c->points > 0)
		buf_add_fmt(buf,
		    "calibrated: %.3f reported for each counted token, and %jd; %ju points, "
		    "%.3f to %.3f\n",
		    c->ratio, (intmax_t)c->offset, (uintmax_t)c->points, c->lowest, c->highest);
}

static void
add_breakdown(const struct report *report, struct table *table)
{
	const struct breakdown *b = &report->measure->breakdown;

	if (b->key == BREAKDOWN_NONE)
		return;
	table->whole = report->budget->used;
	buf_add_fmt(table->buf, "\nby %s\n", breakdown_keys[b->key - 1]);
	for (size_t i = 0; i < b->count; i++)
		add_row(
		    table, b->row[i].label, report_scaled(report, b->row[i].tokens), PAINT_BLUE);
	if (report->estimator->offset > 0)
		add_row(table, STR("(not in the log)"), (uint64_t)report->estimator->offset,
		    PAINT_BLUE);
}

static void
add_cuts(const struct report *report, const struct table *table)
{
	if (!report->has_cuts)
		return;
	buf_add_fmt(table->buf, "\n%8s %6s  %-12s %12s %12s\n", "line", "turn", "execution",
	    "before", "after");
	for (size_t i = 0; i < report->cut_count; i++) {
		const struct cut *cut = &report->cuts[i];
		struct table narrow = {.buf = table->buf, .label = 12, .utf8 = table->utf8};
		struct buf before = BUF_INIT, after = BUF_INIT;

		number_write_grouped(&before, report_scaled(report, cut->before));
		number_write_grouped(&after, report_scaled(report, cut->after));
		buf_add_fmt(table->buf, "%8u %6u  ", cut->line, cut->turn);
		add_label(&narrow, cut->execution);
		buf_add_fmt(table->buf, " %*.*s %*.*s\n", 12, (int)before.len, before.ptr, 12,
		    (int)after.len, after.ptr);
		buf_free(&before);
		buf_free(&after);
	}
}

static unsigned
label_width(const struct report *report)
{
	const struct breakdown *b = &report->measure->breakdown;
	unsigned width = report->model != NULL ? LABEL_MIN + 3 : LABEL_MIN;
	struct buf visible = BUF_INIT;

	for (size_t i = 0; i < b->count && width < LABEL_MAX; i++) {
		size_t columns;

		buf_reset(&visible);
		text_add_visible(&visible, b->row[i].label);
		columns = text_columns(buf_str(&visible));
		if (columns > width)
			width = columns < LABEL_MAX ? (unsigned)columns : LABEL_MAX;
	}
	buf_free(&visible);
	return width;
}

void
report_write_table(const struct report *report, const struct terminal *terminal, struct buf *buf)
{
	const struct budget *budget = report->budget;
	struct table table = {.buf = buf,
	    .label = label_width(report),
	    .utf8 = terminal->utf8,
	    .color = terminal->color,
	    .whole = budget->window};
	unsigned taken = table.label + TOKENS_WIDTH + SHARE_WIDTH + 2;

	if (terminal->width > taken)
		table.bar = terminal->width - taken < BAR_MAX ? terminal->width - taken : BAR_MAX;
	add_row(&table, STR("context window"), budget->window, PAINT_NONE);
	add_row(&table, STR("used"), budget->used, paint_of(budget));
	add_row(&table, STR("reserved output"), budget->reserved_output, PAINT_BLUE);
	add_row(&table, STR("reserved system"), budget->reserved_system, PAINT_BLUE);
	add_row(&table, STR("soft threshold"), budget->soft, PAINT_NONE);
	add_row(&table, STR("remaining"), budget->remaining, PAINT_NONE);
	add_verdict(report, &table);
	add_costs(report, &table);
	add_calibration(report, buf);
	add_breakdown(report, &table);
	add_cuts(report, &table);
}
