
#include "base/bounded.h"
#include "base/number.h"
#include "base/text/text.h"
#include "face/terminal/cells.h"
#include "report.h"

/*
 * The table for people. Each column is as wide as its widest cell, and the bars take the rest of
 * the line.
 *
 *     used                   12,345   9.6%  ████▌
 */
enum { LABEL_MAX = 40, FILE_WIDTH = 32 };

/* The colour of the used part: all is well, compaction is due, or no room is left. */
static enum cells_paint
paint_of(const struct budget *budget)
{
	if (budget->remaining == 0)
		return PAINT_RED;
	return budget->compact ? PAINT_YELLOW : PAINT_GREEN;
}

static void
add_verdict(const struct report *report, const struct cells *cells)
{
	const struct budget *budget = report->budget;

	cells_label(cells, STR("compact"));
	cells_begin_paint(cells, paint_of(budget));
	buf_add_fmt(cells->buf, "%*s", CELLS_TOKENS, budget->compact ? "yes" : "no");
	cells_end_paint(cells, paint_of(budget));
	for (enum budget_reason r = 0; r < BUDGET_REASONS; r++)
		if (budget_has(budget, r)) {
			buf_add_str(cells->buf, STR("  "));
			buf_add_str(cells->buf, budget_reason_name(r));
		}
	buf_add_char(cells->buf, '\n');
	cells_label(cells, STR("estimator"));
	cells_right(cells, str_from(budget->estimator), CELLS_TOKENS);
	buf_add_char(cells->buf, '\n');
}

/* The name of a session, as much of its end as fits into the column of labels. */
static void
add_name(const struct cells *cells, const char *name)
{
	struct buf visible = BUF_INIT;
	struct str text;

	text_add_visible(&visible, str_from(name));
	text = buf_str(&visible);
	if (text_columns(text) > cells->label) {
		while (text_columns(text) > cells->label - 1) {
			size_t len = text_fit(text, 1).len;

			len = len > 0 ? len : text_fit(text, 2).len;
			text = str_of(text.ptr + len, text.len - len);
		}
		buf_add_str(cells->buf, cells->utf8 ? STR("…") : STR("~"));
		cells_label(&(struct cells){.buf = cells->buf, .label = cells->label - 1}, text);
	} else {
		cells_label(cells, text);
	}
	buf_free(&visible);
}

void
report_write_row(
    const struct report *report, const struct terminal *terminal, bool is_next, struct buf *buf)
{
	const struct budget *budget = report->budget;
	struct cells cells = {.buf = buf,
	    .label = cells_label_fit(
		FILE_WIDTH, terminal->width, CELLS_TOKENS + CELLS_SHARE + CELLS_TOKENS),
	    .utf8 = terminal->utf8,
	    .color = terminal->color,
	    .whole = budget->window};

	if (!is_next) {
		model_write_doubt(report->model, budget->estimator, "", "\n", buf);
		buf_add_fmt(buf, "%-*s%*s%*s%*s\n", (int)cells.label,
		    report->is_keyed ? "session" : "file", CELLS_TOKENS, "used", CELLS_SHARE,
		    "share", CELLS_TOKENS, "remaining");
	}
	add_name(&cells, report->name);
	cells_number(&cells, budget->used);
	buf_add_fmt(buf, "%*s", CELLS_TOKENS, number_grouped(budget->remaining).text);
	if (budget->compact) {
		cells_begin_paint(&cells, paint_of(budget));
		buf_add_str(buf, STR("  compact:"));
		report_write_reasons(budget, buf);
		cells_end_paint(&cells, paint_of(budget));
	}
	buf_add_char(buf, '\n');
}

static void
add_costs(const struct report *report, const struct cells *cells)
{
	struct price_row {
		struct str label;
		double dollars;
	} row[] = {{STR("next request"), report->price.full},
	    {STR("with cached prefix"), report->price.cached}};

	if (report->model == NULL)
		return;
	for (size_t i = 0; i < ARRAY_COUNT(row); i++) {
		cells_dollars(cells, row[i].label, row[i].dollars);
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
add_breakdown(const struct report *report, struct cells *cells)
{
	const struct breakdown *b = &report->measure->breakdown;
	uint64_t reserve = breakdown_has_all(b) ? 0 : report->budget->reserved_system;

	if (b->key == BREAKDOWN_NONE)
		return;
	cells->whole = breakdown_has_all(b) ? report_scaled(report, b->tokens) :
					      bounded_add(report->budget->used, reserve);
	buf_add_fmt(cells->buf, "\nby %s\n", breakdown_keys[b->key - 1]);
	for (size_t i = 0; i < b->count; i++)
		cells_row(
		    cells, b->row[i].label, report_scaled(report, b->row[i].tokens), PAINT_BLUE);
	if (report->estimator->offset > 0)
		cells_row(cells, STR("(not in the log)"), (uint64_t)report->estimator->offset,
		    PAINT_BLUE);
	if (reserve > 0)
		cells_row(cells, STR("(system reserve)"), reserve, PAINT_BLUE);
}

static void
add_cuts(const struct report *report, const struct cells *cells)
{
	if (!report->has_cuts)
		return;
	buf_add_fmt(cells->buf, "\n%8s %6s  %-12s %12s %12s\n", "line", "turn", "execution",
	    "before", "after");
	for (size_t i = 0; i < report->cut_count; i++) {
		const struct cut *cut = &report->cuts[i];
		struct cells narrow = {.buf = cells->buf, .label = 12, .utf8 = cells->utf8};

		buf_add_fmt(cells->buf, "%8u %6u  ", cut->line, cut->turn);
		cells_label(&narrow, cut->execution);
		buf_add_fmt(cells->buf, " %12s %12s\n",
		    number_grouped(report_scaled(report, cut->before)).text,
		    number_grouped(report_scaled(report, cut->after)).text);
	}
}

static unsigned
label_width(const struct report *report)
{
	const struct breakdown *b = &report->measure->breakdown;
	unsigned width = report->model != NULL ? CELLS_LABEL_MIN + 3 : CELLS_LABEL_MIN;
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
	struct cells cells = {.buf = buf,
	    .label =
		cells_label_fit(label_width(report), terminal->width, CELLS_TOKENS + CELLS_SHARE),
	    .utf8 = terminal->utf8,
	    .color = terminal->color,
	    .whole = budget->window};

	cells_fit(&cells, terminal->width);
	cells_row(&cells, STR("context window"), budget->window, PAINT_NONE);
	if (budget->session_model != NULL) {
		cells_label(&cells, STR("window of"));
		cells_right(&cells, budget->session_model->name, CELLS_TOKENS);
		buf_add_char(buf, '\n');
	}
	cells_row(&cells, STR("used"), budget->used, paint_of(budget));
	cells_row(&cells, STR("reserved output"), budget->reserved_output, PAINT_BLUE);
	cells_row(&cells, STR("reserved system"), budget->reserved_system, PAINT_BLUE);
	cells_row(&cells, STR("soft threshold"),
	    budget->limits->limit.unit != SIZE_UNSET ? budget_room(budget) : budget->soft,
	    PAINT_NONE);
	cells_row(&cells, STR("remaining"), budget->remaining, PAINT_NONE);
	add_verdict(report, &cells);
	add_costs(report, &cells);
	model_write_doubt(report->model, budget->estimator, "", "\n", buf);
	add_calibration(report, buf);
	add_breakdown(report, &cells);
	add_cuts(report, &cells);
}
