#include "timeline_page.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "face/page/page_text.h"

enum {
	ROWS_MOST = 200, /* of a table */
	WIDTH = 1000,    /* of a picture, in its own units */
	MINUTE_MS = 60000
};

/* The rows of the table, and the scale of their bars. */
struct rows {
	size_t *index; /* of the timeline */
	size_t count;
	struct budget budget;
	uint64_t whole;
};

/* Chooses the rows: as many as the timeline shows, or every so many of them, and the last. */
static void
choose_rows(struct rows *rows, const struct timeline *timeline)
{
	size_t count = 0, step;
	uint64_t before = 0;

	rows->index = mem_alloc(timeline->count, sizeof *rows->index);
	for (size_t i = 0; i < timeline->count; i++)
		if (timeline_shows(timeline, i, before, rows->budget.window)) {
			before = timeline->row[i].used;
			rows->index[count++] = i;
		}
	step = (count + ROWS_MOST - 1) / ROWS_MOST;
	for (size_t i = 0; i < count; i++)
		if (i % step == 0 || i + 1 == count)
			rows->index[rows->count++] = rows->index[i];
}

/* Where so many tokens end in the picture. */
static unsigned
width_of(const struct rows *rows, uint64_t tokens)
{
	double share = rows->whole > 0 ? (double)tokens / (double)rows->whole : 0;

	return (unsigned)((share < 1 ? share : 1) * WIDTH + 0.5);
}

/* Adds the bars of those rows that use at least so much, and less than that. */
static void
add_bars(const struct timeline *timeline, const struct rows *rows, const char *look, uint64_t least,
    uint64_t below, struct buf *out)
{
	size_t from;

	buf_add_fmt(out, "<path class=%s d=\"", look);
	from = out->len;
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t used = timeline->row[rows->index[i]].used;

		if (used >= least && used < below)
			buf_add_fmt(out, "M0 %zu.1h%uv.8H0z", i, width_of(rows, used));
	}
	buf_add_str(out, out->len > from ? STR("\"/>") : STR("M0 0\"/>"));
}

static void
add_line(const struct rows *rows, const char *look, uint64_t tokens, struct buf *out)
{
	buf_add_fmt(
	    out, "<path class=\"%s\" d=\"M%u 0V%zu\"/>", look, width_of(rows, tokens), rows->count);
}

/* Adds the picture of all bars. */
static void
add_picture(const struct timeline *timeline, const struct rows *rows, struct buf *out)
{
	const struct budget *budget = &rows->budget;

	buf_add_fmt(out,
	    "<td class=bars rowspan=%zu><svg role=img aria-label=\"Tokens in use, as the table has "
	    "them\" viewBox=\"0 0 %d %zu\" preserveAspectRatio=none>",
	    rows->count, WIDTH, rows->count);
	add_bars(timeline, rows, "g", 0, budget->soft, out);
	add_bars(timeline, rows, "y", budget->soft, budget->window + 1, out);
	add_bars(timeline, rows, "r", budget->window + 1, UINT64_MAX, out);
	add_line(rows, "l d", budget->target, out);
	add_line(rows, "l d", budget->soft, out);
	add_line(rows, "l", budget->window, out);
	buf_add_str(out, STR("</svg>"));
}

static void
add_row(struct page *page, const struct timeline_row *row)
{
	struct buf *out = &page->out;
	int minute = row->time >= 0 ? (int)(row->time / MINUTE_MS % (24 * 60)) : 0;

	buf_add_str(out, STR("<tr><td class=n>"));
	if (row->number > 0)
		page_add_link(
		    page, row->file, line_number_line(row->number), line_number_part(row->number));
	buf_add_str(out, STR("<td>"));
	if (row->time >= 0)
		buf_add_fmt(out, "%02d:%02d", minute / 60, minute % 60);
	buf_add_fmt(out, "<td class=n>%u<td class=n>%s", row->turn, number_grouped(row->used).text);
	if (row->dropped > 0)
		buf_add_fmt(out, "<br>-%s messages", number_grouped(row->dropped).text);
}

static void
add_table(const struct timeline *timeline, const struct rows *rows, struct page *page)
{
	struct buf *out = &page->out;

	buf_add_str(out,
	    STR("<table>\n<tr><th class=n scope=col>N<th scope=col>Time<th class=n scope=col>Turn"
		"<th class=n scope=col>Tokens<th class=bars scope=col>Bar\n"));
	for (size_t i = 0; i < rows->count; i++) {
		add_row(page, &timeline->row[rows->index[i]]);
		if (i == 0)
			add_picture(timeline, rows, out);
		buf_add_char(out, '\n');
	}
	buf_add_str(out, STR("</table>\n"));
}

static void
add_budget(const struct budget *budget, struct buf *out)
{
	buf_add_fmt(out, "<p>%s tokens are used; ", number_grouped(budget->used).text);
	buf_add_fmt(out, "target %s, ", number_grouped(budget->target).text);
	buf_add_fmt(out, "soft %s, ", number_grouped(budget->soft).text);
	buf_add_fmt(out, "window %s.</p>\n", number_grouped(budget->window).text);
}

/* Adds a row for a name with its tokens. */
static void
add_share(struct buf *out, struct str name, uint64_t tokens, uint64_t whole)
{
	double share = whole > 0 ? (double)tokens / (double)whole * 100 : 0;

	buf_add_str(out, STR("<tr><td class=w>"));
	page_text_add_line(out, name);
	buf_add_fmt(out,
	    "<td class=n>%s<td class=n>%.1f%%<td class=bar><svg aria-hidden=true "
	    "viewBox=\"0 0 100 1\" preserveAspectRatio=none><path class=b d=\"M0 .1h%.1fv.8H0z\"/>"
	    "</svg>\n",
	    number_grouped(tokens).text, share, share);
}

static void
begin_shares(struct buf *out, const char *caption, const char *of)
{
	buf_add_fmt(out,
	    "<table>\n<caption>%s</caption>\n<tr><th scope=col>%s<th class=n scope=col>Tokens"
	    "<th class=n scope=col>Share<th class=bar scope=col>Bar\n",
	    caption, of);
}

static void
add_largest(struct timeline *timeline, uint64_t used, struct buf *out)
{
	const struct breakdown *tools = &timeline->measure.breakdown;

	timeline_sort(timeline);
	begin_shares(out, "Largest tools", "Tool");
	for (size_t i = 0; i < tools->count; i++)
		add_share(out, tools->row[i].label, tools->row[i].tokens, used);
	buf_add_str(out, STR("</table>\n"));
	if (timeline->file_count == 0)
		return;
	begin_shares(out, "Largest files", "File");
	for (size_t i = 0; i < timeline->file_count && i < TIMELINE_LARGEST; i++)
		add_share(out, timeline->file[i].name, timeline->file[i].tokens, used);
	buf_add_str(out, STR("</table>\n"));
}

void
timeline_page_add(struct timeline *timeline, struct page *page)
{
	struct estimator fitted;
	struct rows rows = {.count = 0};

	page_aside(page);
	if (timeline->count == 0) {
		buf_add_str(&page->out, STR("<p>No message is counted.</p>\n"));
		return;
	}
	measure_budget(&timeline->measure, &rows.budget, &fitted);
	rows.whole = rows.budget.used > rows.budget.window ? rows.budget.used : rows.budget.window;
	choose_rows(&rows, timeline);
	add_budget(&rows.budget, &page->out);
	add_table(timeline, &rows, page);
	add_largest(timeline, rows.budget.used, &page->out);
	free(rows.index);
}
