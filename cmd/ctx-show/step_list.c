#include "step_list.h"

#include "base/number.h"
#include "base/bounded.h"
#include "base/text/text.h"
#include "data/message/timestamp.h"
#include "face/terminal/screen_row.h"
#include "policy/words/first_words.h"

enum {
	NUMBER_COLUMNS = 5,
	TIME_COLUMNS = 6,
	NARROW = 50, /* columns of a screen that shows the text and not the time */
	PLAN_COLUMNS = 11,
	INDENT = 2,
	DAY_MS = 86400000,
	MINUTE_MS = 60000
};

void
step_list_init(
    struct step_list *list, struct screen *screen, const struct plan_file *plan, const char *log)
{
	*list = (struct step_list){.screen = screen, .plan = plan, .log = log, .day = -1};
}

void
step_list_free(struct step_list *list)
{
	buf_free(&list->words);
	buf_free(&list->line);
	buf_free(&list->role);
}

static struct cells
open_cells(struct step_list *list)
{
	return (struct cells){.buf = &list->screen->text,
	    .utf8 = list->screen->terminal.utf8,
	    .color = list->screen->terminal.color};
}

static unsigned
plan_columns(const struct step_list *list)
{
	return list->plan != NULL ? PLAN_COLUMNS : 0;
}

static unsigned
time_columns(const struct step_list *list)
{
	return list->screen->terminal.width < NARROW ? 0 : TIME_COLUMNS;
}

/* Sets line to the columns of number and time. */
static struct str
set_place(struct step_list *list, uint64_t number, int64_t time)
{
	int minute = time >= 0 ? (int)(time / MINUTE_MS % (24 * 60)) : 0;
	struct buf text = BUF_INIT;

	if (number > 0)
		line_number_add(&text, number);
	buf_reset(&list->line);
	buf_add_fmt(
	    &list->line, "%*.*s  ", NUMBER_COLUMNS, STR_ARG(number > 0 ? buf_str(&text) : STR("")));
	if (time >= 0 && time_columns(list) > 0)
		buf_add_fmt(&list->line, "%02d:%02d ", minute / 60, minute % 60);
	else
		buf_add_fmt(&list->line, "%*s", (int)time_columns(list), "");
	buf_free(&text);
	return buf_str(&list->line);
}

static void
add_head(struct step_list *list)
{
	screen_row_head(list->screen,
	    time_columns(list) > 0 ? STR("    N  time  ") : STR("    N  "),
	    list->plan != NULL ? STR("plan") : STR(""), plan_columns(list));
	list->has_begun = true;
}

/* Adds a rule. With is_sum it has the tokens so far, and of all if known. */
static void
add_rule(struct step_list *list, const struct step *step, struct str what, bool is_sum)
{
	struct buf sum = BUF_INIT;

	if (is_sum) {
		number_write_grouped(&sum, list->tokens);
		if (step->known->session != NULL)
			buf_add_fmt(&sum, " of %s", number_grouped(step->known->total).text);
		buf_add_str(&sum, STR(" tokens"));
	}
	screen_rule(list->screen, what, sum.len > 0 ? buf_str(&sum) : STR(""), PAINT_FAINT);
	buf_free(&sum);
}

/* Adds a rule if the day is not the day of the message before. */
static void
add_day(struct step_list *list, const struct step *step)
{
	int64_t day = step->time >= 0 ? step->time / DAY_MS : list->day;
	bool is_other = list->day >= 0 && day != list->day;
	struct buf text = BUF_INIT;

	list->day = day;
	if (is_other) {
		timestamp_add_day(step->time, &text);
		add_rule(list, step, buf_str(&text), false);
	}
	buf_free(&text);
}

/* Adds a rule if a turn or an execution begins after the first message. */
static void
add_turn(struct step_list *list, const struct step *step)
{
	struct buf text = BUF_INIT;

	step_add_turn(step, &list->turn, screen_joint(list->screen), &text);
	if (text.len > 0)
		add_rule(list, step, buf_str(&text), list->tokens > 0);
	buf_free(&text);
}

static enum cells_paint
paint_of(const struct step *step)
{
	if (step->kind == RECORD_BAD || step->has_failed)
		return (step->marks & MARK_MENDED) != 0 ? PAINT_YELLOW : PAINT_RED;
	if (step->kind != RECORD_MESSAGE || step->verdict == NULL)
		return PAINT_FAINT;
	if (message_is_artifact(step->message))
		return PAINT_YELLOW;
	return step->message->role == ROLE_USER ? PAINT_GREEN : PAINT_NONE;
}

/* Adds a line with the number of messages that an artifact replaces. */
static void
add_compaction(struct step_list *list, const struct step *step)
{
	struct cells cells = open_cells(list);

	buf_reset(&list->words);
	if (!step_add_compaction(step, list->log, &list->words))
		return;
	buf_add_fmt(cells.buf, "%*s", NUMBER_COLUMNS + 2, "");
	cells_begin_paint(&cells, PAINT_YELLOW);
	buf_add_str(cells.buf, list->screen->terminal.utf8 ? STR("▒ ") : STR("# "));
	text_add_visible(cells.buf, buf_str(&list->words));
	cells_end_paint(&cells, PAINT_YELLOW);
	buf_add_char(cells.buf, '\n');
}

/* Appends the use of the call that has failed, without the prompt of a shell. */
static void
add_failed_call(struct step_list *list, const struct step *step)
{
	const struct call_line *call = calls_answered(step->calls);
	const struct str prompt = STR_INIT("$ ");
	struct str use = call != NULL && call->use.len > 0 ? buf_str(&call->use) : STR("");

	if (use.len == 0)
		return;
	buf_add_str(&list->words, str_has_prefix(use, prompt) ? str_rest(use, prompt.len) : use);
	buf_add_str(&list->words, STR(": "));
}

/* Sets words to the text that is shown for the step. */
static void
set_words(struct step_list *list, const struct step *step)
{
	enum { BYTES = 8 }; /* for a column, and combining characters */
	struct str joint = screen_joint(list->screen);
	size_t most = (size_t)list->screen->terminal.width * BYTES;

	buf_reset(&list->words);
	step_add_marks(step, joint, &list->words);
	if (step->kind != RECORD_MESSAGE) {
		first_words_add_lines(step->text, joint, most, &list->words);
		return;
	}
	if (step->has_failed)
		add_failed_call(list, step);
	first_words_add(step->message, joint, most, step->has_failed, &list->words);
	if (list->words.len > 0 && str_has_suffix(buf_str(&list->words), joint))
		list->words.len -= joint.len;
}

/* Adds a line for each call of the message. */
static void
add_calls(struct step_list *list, const struct step *step)
{
	for (uint32_t i = 0; step->verdict != NULL && i < step->verdict->calls; i++) {
		const struct call_line *line = calls_made(step->calls, i);

		screen_row_add(list->screen,
		    &(struct screen_row){.place = set_place(list, 0, -1),
			.action_columns = plan_columns(list),
			.role = buf_str(&line->tool),
			.tokens = line->tokens,
			.has_tokens = true,
			.indent = step_is_inner(step) ? INDENT : 0,
			.inset = 2,
			.text = buf_str(&line->use),
			.paint = PAINT_BLUE});
	}
}

void
step_list_add(struct step_list *list, const struct step *step)
{
	struct screen_row row = {.tokens = step->tokens,
	    .has_tokens = step_has_tokens(step),
	    .indent = step_is_inner(step) ? INDENT : 0,
	    .action_columns = plan_columns(list),
	    .action_paint = PAINT_YELLOW,
	    .paint = paint_of(step)};

	if (!list->has_begun)
		add_head(list);
	add_day(list, step);
	if (step->verdict != NULL)
		add_turn(list, step);
	buf_reset(&list->role);
	step_add_role(step, &list->role);
	set_words(list, step);
	row.role = buf_str(&list->role);
	row.text = list->words.len > 0 ? buf_str(&list->words) : STR("");
	row.inset = step->verdict != NULL && step->message->role == ROLE_TOOL ? 2 : 0;
	row.text_paint = row.paint == PAINT_GREEN ? PAINT_NONE : row.paint;
	if (list->plan != NULL)
		row.action = plan_file_find(list->plan, step->known->place.line);
	row.place = set_place(list, step->number, step->time);
	screen_row_add(list->screen, &row);
	add_calls(list, step);
	add_compaction(list, step);
	if (step->verdict != NULL && !step->verdict->outside)
		list->tokens = bounded_add(list->tokens, step->tokens);
}

void
step_list_end(struct step_list *list)
{
	struct buf sum = BUF_INIT;

	buf_add_fmt(&sum, "%s tokens", number_grouped(list->tokens).text);
	if (list->has_begun)
		screen_rule(list->screen, STR("end"), buf_str(&sum), PAINT_FAINT);
	buf_free(&sum);
}
