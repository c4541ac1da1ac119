#include "diff_page.h"

#include "base/number.h"
#include "cut_lines.h"
#include "face/page/page_text.h"

enum { SHORT_BYTES = 100 }; /* a shorter line is not folded */

static const struct str joint = STR_INIT(" · ");

static const enum page_change changes[MATCH_CHANGES] = {
    [MATCH_KEPT] = PAGE_KEPT,
    [MATCH_CUT] = PAGE_CUT,
    [MATCH_CHANGED] = PAGE_CUT,
    [MATCH_GONE] = PAGE_GONE,
    [MATCH_ADDED] = PAGE_ADDED,
};

static void
flush(struct diff_page *diff_page)
{
	run_add(diff_page->run, buf_str(&diff_page->page.out));
	buf_reset(&diff_page->page.out);
}

static void
begin(struct diff_page *diff_page, const struct match_rows *rows, const struct told_all *was,
    const struct told_all *now)
{
	struct buf title = BUF_INIT, note = BUF_INIT;

	buf_add_fmt(&title, "%s → %s", diff_page->old_name, diff_page->new_name);
	buf_add_fmt(&note, "ctx-diff%.*s", STR_ARG(joint));
	match_add_sums(rows, joint, &note);
	buf_add_str(&note, joint);
	match_add_tokens(was, now, &note);
	page_begin(&diff_page->page, buf_str(&title), buf_str(&note));
	page_heading(&diff_page->page, STR("Messages"), STR(""));
	buf_free(&title);
	buf_free(&note);
}

/* Says where a turn of OLD begins. */
static void
add_turn(struct diff_page *diff_page, const struct told *told)
{
	struct buf what = BUF_INIT;

	buf_add_fmt(&what, "turn %u", told->turn);
	if (told->turn > 1 && told->turn != diff_page->turn)
		page_heading(&diff_page->page, buf_str(&what), STR(""));
	if (told->turn > 0)
		diff_page->turn = told->turn;
	buf_free(&what);
}

/* Sets the marks that compare a message of NEW with its state in OLD. */
static void
set_marks(struct diff_page *diff_page, const struct match_row *row)
{
	struct buf *marks = &diff_page->marks;

	buf_reset(marks);
	if (row->was == NULL || row->now == NULL)
		return;
	if (row->was->number > 0 && row->was->number != row->now->number) {
		line_number_add(marks, row->was->number);
		buf_add_str(marks, STR(" in OLD"));
	}
	if (row->change != MATCH_KEPT) {
		buf_add_str(marks, marks->len > 0 ? joint : STR(""));
		buf_add_fmt(marks, "%s tokens before", number_grouped(row->was->tokens).text);
	}
}

static void
open_entry(struct diff_page *diff_page, const struct match_row *row)
{
	const struct told *told = row->now != NULL ? row->now : row->was;

	set_marks(diff_page, row);
	page_open(&diff_page->page,
	    &(struct page_entry){.file = row->now != NULL ? 0 : 1,
		.line = line_number_line(told->number),
		.part = line_number_part(told->number),
		.look = told->look,
		.change = changes[row->change],
		.has_failed = told->has_failed,
		.depth = told->indent > 0 ? 1 : 0,
		.role = told->role,
		.tool = told->answered.tool,
		.use = told->answered.use,
		.marks = diff_page->marks.len > 0 ? buf_str(&diff_page->marks) : STR(""),
		.action = match_word(row->change),
		.time = -1,
		.tokens = told->tokens,
		.has_tokens = true});
}

static void
add_lines(struct screen *screen, struct str text, const char *mark, enum cells_paint paint)
{
	if (text.len > 0)
		screen_lines(screen, text, str_from(mark), paint);
}

/* Adds the text of a message; a changed one is not folded. */
static void
add_text(struct diff_page *diff_page, const struct match_row *row)
{
	const struct told *told = row->now != NULL ? row->now : row->was;
	struct screen *screen = &diff_page->page.screen;
	bool is_cut = row->was != NULL && row->now != NULL && row->change != MATCH_KEPT;

	if (is_cut) {
		struct cut_lines cut = cut_lines_find(row->was->text, row->now->text);

		add_lines(screen, cut.before, "  ", PAINT_FAINT);
		add_lines(screen, cut.was, "- ", PAINT_RED);
		add_lines(screen, cut.now, "+ ", PAINT_GREEN);
		add_lines(screen, cut.after, "  ", PAINT_FAINT);
	} else if (told->text.len <= SHORT_BYTES && str_is_one_line(told->text)) {
		page_text(&diff_page->page, told->text);
	} else {
		add_lines(screen, told->text, "", PAINT_NONE);
	}
	if (screen->text.len == 0)
		return;
	buf_reset(&diff_page->label);
	page_text_fit(&diff_page->label, told->words);
	page_fold(&diff_page->page, STR(""),
	    diff_page->label.len > 0 ? buf_str(&diff_page->label) : STR(""),
	    row->change != MATCH_KEPT);
}

static void
add_row(struct diff_page *diff_page, const struct match_row *row)
{
	const struct told *told = row->now != NULL ? row->now : row->was;

	if (row->was != NULL)
		add_turn(diff_page, row->was);
	open_entry(diff_page, row);
	for (uint32_t i = 0; i < told->calls; i++)
		page_call(&diff_page->page, told->call[i].tool, told->call[i].use);
	add_text(diff_page, row);
	page_close(&diff_page->page);
}

void
diff_page_write(struct diff_page *diff_page, const struct match_rows *rows,
    const struct told_all *was, const struct told_all *now)
{
	page_init(&diff_page->page);
	begin(diff_page, rows, was, now);
	for (size_t i = 0; i < rows->count; i++) {
		add_row(diff_page, &rows->row[i]);
		flush(diff_page);
	}
	page_end(&diff_page->page);
	flush(diff_page);
	page_free(&diff_page->page);
	buf_free(&diff_page->marks);
	buf_free(&diff_page->label);
}
