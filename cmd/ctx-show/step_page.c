#include "step_page.h"

#include <stdlib.h>

#include "base/bounded.h"
#include "base/list.h"
#include "base/file.h"
#include "base/number.h"
#include "policy/words/first_words.h"
#include "timeline_page.h"

enum { WORDS = 400 }; /* bytes of the first words of a message */

static const struct str joint = STR_INIT(" · ");

void
step_page_init(struct step_page *step_page, char *const *file, unsigned file_count,
    const struct plan_file *plan, bool has_members)
{
	bool is_one = file_count == 1 && !file_is_stdin(file[0]);

	*step_page = (struct step_page){.plan = plan,
	    .has_members = has_members,
	    .log = is_one ? file[0] : NULL,
	    .title = is_one || file_count > 1 ? file[0] : NULL,
	    .names_files = file_count > 1};
	page_init(&step_page->page);
}

void
step_page_free(struct step_page *step_page)
{
	page_free(&step_page->page);
	buf_free(&step_page->role);
	buf_free(&step_page->marks);
	buf_free(&step_page->words);
	buf_free(&step_page->text);
	free(step_page->use);
}

static struct str
text_of(const struct buf *buf)
{
	return buf->len > 0 ? buf_str(buf) : STR("");
}

/* Begins the page; the first step gives the sum, if it is known. */
static void
begin(struct step_page *step_page, const struct step *step)
{
	struct buf *text = &step_page->text;
	bool has_sum = step->known->session != NULL && step_page->page.has_aside;

	buf_set(text, STR("ctx-show"));
	if (has_sum)
		buf_add_fmt(text, " · %s tokens", number_grouped(step->known->total).text);
	page_begin(&step_page->page,
	    step_page->title != NULL ? str_from(step_page->title) : STR("session"), buf_str(text));
	page_heading(&step_page->page, STR("Messages"), STR(""));
	step_page->has_begun = true;
}

/* Names the file of the next steps, if there are several files. */
static void
add_file(struct step_page *step_page, const struct step *step)
{
	bool is_other = step->file != NULL && step->file != step_page->file;

	if (step->file != NULL)
		step_page->file = step->file;
	if (is_other && step_page->names_files)
		page_heading(&step_page->page, str_from(step->file), STR(""));
}

/* Says where a turn begins, and how many tokens are before it. */
static void
add_turn(struct step_page *step_page, const struct step *step)
{
	struct buf what = BUF_INIT, sum = BUF_INIT;

	step_add_turn(step, &step_page->turn, joint, &what);
	if (what.len > 0 && step_page->page.has_aside) {
		number_write_grouped(&sum, step_page->tokens);
		if (step->known->session != NULL)
			buf_add_fmt(&sum, " of %s", number_grouped(step->known->total).text);
		buf_add_str(&sum, STR(" tokens"));
	}
	if (what.len > 0)
		page_heading(&step_page->page, buf_str(&what), text_of(&sum));
	buf_free(&what);
	buf_free(&sum);
}

static void
open_entry(struct step_page *step_page, const struct step *step)
{
	const struct call_line *call = step->verdict != NULL ? calls_answered(step->calls) : NULL;
	struct page_entry entry = {.file = step->file_index,
	    .line = line_number_line(step->number),
	    .part = line_number_part(step->number),
	    .look = step->kind == RECORD_BAD ? PAGE_OTHER : page_message_look(step->message),
	    .has_failed = step->has_failed || step->kind == RECORD_BAD,
	    .depth = step_is_inner(step) ? 1 : 0,
	    .tool = call != NULL ? text_of(&call->tool) : STR(""),
	    .use = call != NULL ? text_of(&call->use) : STR(""),
	    .time = step->time,
	    .tokens = step->tokens,
	    .has_tokens = step_has_tokens(step)};

	buf_reset(&step_page->role);
	step_add_role(step, &step_page->role);
	buf_reset(&step_page->marks);
	step_add_marks(step, joint, &step_page->marks);
	if (step_page->marks.len > 0)
		step_page->marks.len -= joint.len;
	entry.role = text_of(&step_page->role);
	entry.marks = text_of(&step_page->marks);
	if (step_page->plan != NULL)
		entry.action = plan_file_find(step_page->plan, step->known->place.line);
	page_open(&step_page->page, &entry);
}

/* Adds a line that is no record to those before. An input of another kind has nothing but these. */
static void
add_bad_line(struct step_page *step_page, const struct step *step)
{
	if (!step_page->is_bad)
		open_entry(step_page, step);
	step_page->is_bad = true;
	page_text(&step_page->page, step->text);
}

static void
end_bad_lines(struct step_page *step_page)
{
	if (step_page->is_bad)
		page_close(&step_page->page);
	step_page->is_bad = false;
}

static void
add_message(struct step_page *step_page, const struct step *step)
{
	struct page_message message = {
	    .message = step->message, .has_members = step_page->has_members};

	for (uint32_t i = 0; step->verdict != NULL && i < step->verdict->calls; i++) {
		LIST_ADD(step_page->use, message.use_count, step_page->use_cap,
		    text_of(&calls_made(step->calls, i)->use));
	}
	message.use = step_page->use;
	buf_reset(&step_page->words);
	first_words_add(step->message, joint, WORDS, step->has_failed, &step_page->words);
	message.words = text_of(&step_page->words);
	page_message_add(&step_page->page, &message);
	buf_reset(&step_page->text);
	if (step_add_compaction(step, step_page->log, &step_page->text))
		page_text(&step_page->page, buf_str(&step_page->text));
}

/* Adds a record that is no message. */
static void
add_record(struct step_page *step_page, const struct step *step)
{
	struct page *page = &step_page->page;

	screen_json(&page->screen, step->message->value, STR(""));
	page_open_fold(page, STR(""), STR("members"), false);
	page_painted(page);
	page_close_fold(page);
}

void
step_page_add(struct step_page *step_page, const struct step *step, struct timeline *timeline)
{
	struct page *page = &step_page->page;

	page->has_aside = timeline != NULL;
	if (!step_page->has_begun)
		begin(step_page, step);
	if (step->kind != RECORD_BAD || step->file != step_page->file)
		end_bad_lines(step_page);
	add_file(step_page, step);
	if (step->kind == RECORD_BAD) {
		add_bad_line(step_page, step);
		return;
	}
	if (step->verdict != NULL)
		add_turn(step_page, step);
	open_entry(step_page, step);
	if (step->kind != RECORD_MESSAGE)
		add_record(step_page, step);
	else
		add_message(step_page, step);
	page_close(page);
	if (timeline != NULL)
		timeline_add(timeline, step);
	if (step->verdict != NULL && !step->verdict->outside)
		step_page->tokens = bounded_add(step_page->tokens, step->tokens);
}

void
step_page_end(struct step_page *step_page, struct timeline *timeline)
{
	if (!step_page->has_begun)
		return;
	end_bad_lines(step_page);
	if (timeline != NULL)
		timeline_page_add(timeline, &step_page->page);
	page_end(&step_page->page);
}
