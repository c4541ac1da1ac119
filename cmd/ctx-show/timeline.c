#include "timeline.h"

#include <stdlib.h>

#include "base/bounded.h"
#include "base/list.h"
#include "base/number.h"
#include "base/text/text.h"

enum {
	STEPS = 40,       /* a turn has a row for so much of the window, as a part of it */
	PREFIX = 24,      /* columns before a bar */
	BAR_LEAST = 8,    /* columns */
	WINDOW_MOST = 19, /* columns of the word and the number of a window */
	MINUTE_MS = 60000
};

void
timeline_init(struct timeline *timeline, struct screen *screen, struct estimator *estimator,
    const struct budget_limits *limits, const struct models *models)
{
	*timeline = (struct timeline){.screen = screen};
	measure_init(&timeline->measure, estimator, limits, models, BREAKDOWN_TOOL);
}

void
timeline_free(struct timeline *timeline)
{
	measure_free(&timeline->measure);
	free(timeline->row);
	free(timeline->file);
	map_free(&timeline->file_by_name);
	arena_free(&timeline->arena);
}

static void
add_to_file(struct timeline *timeline, struct str name, uint64_t tokens)
{
	uint64_t index = map_get(&timeline->file_by_name, hash_label(name));

	if (index == MAP_NONE) {
		index = timeline->file_count;
		map_set(&timeline->file_by_name, hash_label(name), index);
		LIST_ADD(timeline->file, timeline->file_count, timeline->file_cap,
		    (struct timeline_file){.name = arena_copy(&timeline->arena, name)});
	}
	timeline->file[index].tokens = bounded_add(timeline->file[index].tokens, tokens);
}

/* Counts the calls of the message, and the result, for their files. */
static void
note_files(struct timeline *timeline, const struct step *step)
{
	const struct call_line *answered = calls_answered(step->calls);

	if (answered != NULL && answered->file.len > 0)
		add_to_file(timeline, buf_str(&answered->file), step->tokens);
	for (uint32_t i = 0; i < step->verdict->calls; i++) {
		const struct call_line *call = calls_made(step->calls, i);

		if (call->file.len > 0)
			add_to_file(timeline, buf_str(&call->file), call->tokens);
	}
}

void
timeline_add(struct timeline *timeline, const struct step *step)
{
	const uint32_t tokens = (uint32_t)number_least(step->tokens, UINT32_MAX);
	struct timeline_row row = {
	    .time = step->time, .number = step->number, .file = step->file_index};

	if (step->verdict == NULL || !measure_add(&timeline->measure, step->message, 0, &tokens))
		return;
	note_files(timeline, step);
	row.turn = step->verdict->turn;
	row.used = timeline->measure.sum;
	row.dropped = step_dropped(step);
	LIST_ADD(timeline->row, timeline->count, timeline->cap, row);
}

/* What a bar shows. */
struct scale {
	const struct budget *budget;
	uint64_t whole; /* tokens that a full line of columns shows */
	unsigned columns;
};

/* The column, from 0, in which that many tokens end. */
static unsigned
column_of(const struct scale *scale, uint64_t tokens)
{
	double share = scale->whole > 0 ? (double)tokens / (double)scale->whole : 0;

	return (unsigned)((share < 1 ? share : 1) * (scale->columns - 1) + 0.5);
}

/* Adds the bar, and after it the lines that it does not reach. */
static void
add_bar(struct timeline *timeline, const struct scale *scale, uint64_t used)
{
	const struct budget *budget = scale->budget;
	bool utf8 = timeline->screen->terminal.utf8;
	unsigned full = used > 0 ? column_of(scale, used) + 1 : 0;
	unsigned soft = column_of(scale, budget->soft), end = column_of(scale, budget->window);
	unsigned target = column_of(scale, budget->target);
	struct buf *text = &timeline->screen->text;
	struct cells cells = {.buf = text, .color = timeline->screen->terminal.color};
	enum cells_paint paint = used > budget->window ? PAINT_RED :
	    used >= budget->soft                       ? PAINT_YELLOW :
							 PAINT_GREEN;

	cells_begin_paint(&cells, paint);
	for (unsigned i = 0; i < full; i++)
		buf_add_str(text, utf8 ? STR("█") : STR("#"));
	cells_end_paint(&cells, paint);
	for (unsigned i = full; i <= end; i++)
		if (i == end)
			buf_add_str(text, utf8 ? STR("│") : STR("|"));
		else if (i == soft || i == target)
			buf_add_str(text, utf8 ? STR("┊") : STR(":"));
		else
			buf_add_char(text, ' ');
	buf_add_char(text, '\n');
}

bool
timeline_shows(const struct timeline *timeline, size_t i, uint64_t before, uint64_t window)
{
	const struct timeline_row *row = &timeline->row[i];

	return i + 1 == timeline->count || row[1].turn != row->turn || row->dropped > 0 ||
	    row[1].dropped > 0 || row->used - before >= window / STEPS + 1;
}

static void
add_rows(struct timeline *timeline, const struct scale *scale)
{
	struct screen *screen = timeline->screen;
	struct buf *text = &screen->text;
	uint64_t before = 0;

	for (size_t i = 0; i < timeline->count; i++) {
		const struct timeline_row *row = &timeline->row[i];
		int minute = row->time >= 0 ? (int)(row->time / MINUTE_MS % (24 * 60)) : 0;

		if (!timeline_shows(timeline, i, before, scale->budget->window))
			continue;
		before = row->used;
		if (row->dropped > 0)
			buf_add_fmt(text, "       %s %s messages compacted\n",
			    screen->terminal.utf8 ? "▒" : "#", number_grouped(row->dropped).text);
		if (row->time >= 0)
			buf_add_fmt(text, "%02d:%02d", minute / 60, minute % 60);
		else
			buf_add_fmt(text, "%5s", "");
		buf_add_fmt(text, " %6u %9s  ", row->turn, number_grouped(row->used).text);
		add_bar(timeline, scale, row->used);
	}
}

static void
add_head(struct timeline *timeline, const struct budget *budget)
{
	struct screen *screen = timeline->screen;
	struct cells cells = {.buf = &screen->text, .color = screen->terminal.color};
	struct str joint = screen_joint(screen);
	struct buf *text = &screen->scratch;
	unsigned width = screen->terminal.width;

	buf_reset(text);
	buf_add_fmt(text, "target %s", number_grouped(budget->target).text);
	buf_add_fmt(text, "%.*ssoft %s", STR_ARG(joint), number_grouped(budget->soft).text);
	if (text_columns(buf_str(text)) + WINDOW_MOST > width)
		joint = STR("\n");
	buf_add_fmt(text, "%.*swindow %s", STR_ARG(joint), number_grouped(budget->window).text);
	cells_begin_paint(&cells, PAINT_FAINT);
	buf_add_str(cells.buf, STR("time    turn      used"));
	buf_add_str(
	    cells.buf, PREFIX + text_columns(buf_str(text)) > width ? STR("\n") : STR("  "));
	buf_add_str(cells.buf, buf_str(text));
	cells_end_paint(&cells, PAINT_FAINT);
	buf_add_char(cells.buf, '\n');
}

static int
by_tokens(const void *a, const void *b)
{
	const struct timeline_file *x = a, *y = b;

	if (x->tokens != y->tokens)
		return x->tokens < y->tokens ? 1 : -1;
	return str_compare(x->name, y->name);
}

void
timeline_sort(struct timeline *timeline)
{
	breakdown_sort(&timeline->measure.breakdown, TIMELINE_LARGEST);
	if (timeline->file_count > 0)
		qsort(timeline->file, timeline->file_count, sizeof *timeline->file, by_tokens);
}

/* Adds the tools and files that have the most tokens. */
static void
add_largest(struct timeline *timeline, const struct budget *budget)
{
	enum { LABEL = 32 };
	struct screen *screen = timeline->screen;
	struct breakdown *tools = &timeline->measure.breakdown;
	struct cells cells = {.buf = &screen->text,
	    .label = cells_label_fit(LABEL, screen->terminal.width, CELLS_TOKENS + CELLS_SHARE),
	    .utf8 = screen->terminal.utf8,
	    .color = screen->terminal.color,
	    .whole = budget->used};

	cells_fit(&cells, screen->terminal.width);
	timeline_sort(timeline);
	screen_rule(screen, STR("largest tools"), STR(""), PAINT_FAINT);
	for (size_t i = 0; i < tools->count; i++)
		cells_row(&cells, tools->row[i].label, tools->row[i].tokens, PAINT_BLUE);
	if (timeline->file_count == 0)
		return;
	screen_rule(screen, STR("largest files"), STR(""), PAINT_FAINT);
	for (size_t i = 0; i < timeline->file_count && i < TIMELINE_LARGEST; i++)
		cells_row(&cells, timeline->file[i].name, timeline->file[i].tokens, PAINT_BLUE);
}

void
timeline_end(struct timeline *timeline)
{
	unsigned width = timeline->screen->terminal.width;
	struct estimator fitted;
	struct budget budget;
	struct scale scale = {
	    .budget = &budget, .columns = width > PREFIX + BAR_LEAST ? width - PREFIX : BAR_LEAST};

	if (timeline->count == 0)
		return;
	measure_budget(&timeline->measure, &budget, &fitted);
	scale.whole = budget.used > budget.window ? budget.used : budget.window;
	add_head(timeline, &budget);
	add_rows(timeline, &scale);
	add_largest(timeline, &budget);
}
