#include "face/page/page.h"

#include "base/number.h"
#include "data/message/timestamp.h"
#include "face/page/page_text.h"

enum { DAY_MS = 86400000, SECOND_MS = 1000 };
enum { OPEN_LINES = 24, OPEN_BYTES = 4000 }; /* a fold with no more lines is open, if it matters */

static const char style[] =
#include "face/page/page_style.inc"
    ;

static const char script[] =
#include "face/page/page_script.inc"
    ;

/* Their hashes by SHA-256, in base64; a test of the page computes both. */
#define STYLE_HASH "LmMm/mtKsE4egSnyYij/titJ+3jzb0V9QR6p7cAGCiA="
#define SCRIPT_HASH "AJYJ9+TnR/9i1PKEApSpzwyPZCB0Pg+H2ga2NjwGkus="

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=en>\n"
    "<meta charset=utf-8>\n"
    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
    "style-src 'sha256-" STYLE_HASH "'; script-src 'sha256-" SCRIPT_HASH "'; "
    "img-src data:; base-uri 'none'; form-action 'none'\">\n"
    "<meta name=viewport content=\"width=device-width\">\n"
    "<meta name=referrer content=no-referrer>\n";

static const char filter[] =
    "<form id=filter role=search aria-label=Messages hidden>\n"
    "<label>Text <input id=text type=search></label>\n"
    "<label>Role <select id=role><option value=\"\">all</option></select></label>\n"
    "<label>Tool <select id=tool><option value=\"\">all</option></select></label>\n"
    "<label><input id=failed type=checkbox> Failures</label>\n"
    "<button id=fold type=button>Open all</button>\n"
    "<output id=said></output>\n"
    "<p><kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>o</kbd> open, close "
    "<kbd>/</kbd> filter <kbd>Esc</kbd> all messages</p>\n"
    "</form>\n";

void
page_init(struct page *page)
{
	*page = (struct page){
	    .screen = {.terminal = {.width = 80, .utf8 = true, .color = true}}, .day = -1};
}

void
page_free(struct page *page)
{
	buf_free(&page->out);
	screen_free(&page->screen);
	map_free(&page->numbers);
}

void
page_begin(struct page *page, struct str title, struct str note)
{
	struct buf *out = &page->out;

	buf_add_fmt(out, "%s<title>", head);
	page_text_add_line(out, title);
	buf_add_fmt(out, "</title>\n<style>%s</style>\n<header>\n<h1>", style);
	page_text_add_line(out, title);
	buf_add_str(out, STR("</h1>\n<p>"));
	page_text_add_line(out, note);
	buf_add_str(out, STR("</p>\n"));
	if (page->has_aside)
		buf_add_str(out,
		    STR("<nav aria-label=Parts><a href=#log>Messages</a> "
			"<a href=#timeline>Timeline</a></nav>\n"));
	buf_add_fmt(out, "%s</header>\n<main id=log>\n", filter);
}

void
page_heading(struct page *page, struct str what, struct str figures)
{
	struct buf *out = &page->out;

	buf_add_str(out, STR("<h2>"));
	page_text_add_line(out, what);
	if (figures.len > 0) {
		buf_add_str(out, STR(" <i>"));
		page_text_add_line(out, figures);
		buf_add_str(out, STR("</i>"));
	}
	buf_add_str(out, STR("</h2>\n"));
}

static void
add_number(struct buf *out, uint64_t line, uint64_t part)
{
	buf_add_fmt(out, "%ju", (uintmax_t)line);
	if (part > 1)
		buf_add_fmt(out, ".%ju", (uintmax_t)part);
}

/* Appends the id of the entry of that number. */
static void
add_id(struct buf *out, unsigned file, uint64_t line, uint64_t part)
{
	if (file > 0)
		buf_add_fmt(out, "f%u", file + 1);
	buf_add_char(out, 'm');
	add_number(out, line, part);
}

void
page_add_link(struct page *page, unsigned file, uint64_t line, uint64_t part)
{
	struct buf *out = &page->out;

	buf_add_str(out, STR("<a href=#"));
	add_id(out, file, line, part);
	buf_add_char(out, '>');
	add_number(out, line, part);
	buf_add_str(out, STR("</a>"));
}

/* Notes the number. Returns whether no entry before has it. */
static bool
is_new(struct page *page, const struct page_entry *entry)
{
	struct hash hash = hash_number(entry->line, hash_seed(HASH_LABEL));

	hash = hash_number(entry->part, hash_number(entry->file, hash));
	return entry->line > 0 && map_set(&page->numbers, hash, 1) == MAP_NONE;
}

/* Writes the day, if it is not the day of the entry before. */
static void
add_day(struct page *page, int64_t time)
{
	struct buf *out = &page->out;

	if (time < 0 || time / DAY_MS == page->day)
		return;
	page->day = time / DAY_MS;
	buf_add_str(out, STR("<p class=day>"));
	timestamp_add_day(time, out);
	buf_add_str(out, STR("</p>\n"));
}

/* Appends an element with the text; nothing where there is none. */
static void
add_element(struct buf *out, const char *begin, struct str text, const char *end)
{
	if (text.len == 0)
		return;
	buf_add_fmt(out, " <%s>", begin);
	page_text_add_line(out, text);
	buf_add_fmt(out, "</%s>", end);
}

/* Appends the words of a heading. */
static void
add_words(struct page *page, const struct page_entry *entry)
{
	struct buf *out = &page->out;
	unsigned seconds = entry->time >= 0 ? (unsigned)(entry->time % DAY_MS / SECOND_MS) : 0;

	add_element(out, "b", entry->role, "b");
	add_element(out, "strong", entry->action, "strong");
	add_element(out, "span class=t", entry->tool, "span");
	add_element(out, "span", entry->use, "span");
	add_element(out, "em", entry->marks, "em");
	if (entry->time >= 0)
		buf_add_fmt(out, " <time>%02u:%02u:%02u</time>", seconds / 3600, seconds / 60 % 60,
		    seconds % 60);
	if (entry->has_tokens)
		buf_add_fmt(out, " <i>%s tokens</i>", number_grouped(entry->tokens).text);
}

void
page_open(struct page *page, const struct page_entry *entry)
{
	static const char *const looks[] = {"o", "s", "u", "a", "t", "c"};
	static const char *const changes[] = {"", " cut", " gone", " added"};
	struct buf *out = &page->out;
	bool has_link = is_new(page, entry);

	add_day(page, entry->time);
	buf_add_str(out, STR("<article"));
	if (has_link) {
		buf_add_str(out, STR(" id="));
		add_id(out, entry->file, entry->line, entry->part);
	}
	buf_add_fmt(out, " class=\"%s%s%s%s\"><h3>", looks[entry->look],
	    entry->has_failed ? " e" : "", entry->depth > 0 ? " in" : "", changes[entry->change]);
	if (has_link)
		page_add_link(page, entry->file, entry->line, entry->part);
	else if (entry->line > 0)
		add_number(out, entry->line, entry->part);
	add_words(page, entry);
	buf_add_str(out, STR("</h3>\n"));
}

void
page_close(struct page *page)
{
	buf_add_str(&page->out, STR("</article>\n"));
}

/* A leading line feed of the text comes after the one that belongs to the tag. */
static void
open_lines(struct page *page, char first)
{
	buf_add_str(&page->out, STR("<pre>"));
	if (first == '\n')
		buf_add_char(&page->out, '\n');
}

void
page_text(struct page *page, struct str text)
{
	if (text.len == 0)
		return;
	open_lines(page, text.ptr[0]);
	page_text_add(&page->out, text);
	buf_add_str(&page->out, STR("</pre>"));
}

void
page_painted(struct page *page)
{
	struct buf *text = &page->screen.text;

	if (text->len == 0)
		return;
	text->len -= text->ptr[text->len - 1] == '\n';
	open_lines(page, text->len > 0 ? text->ptr[0] : ' ');
	page_text_add_painted(&page->out, buf_str(text));
	buf_add_str(&page->out, STR("</pre>"));
	buf_reset(text);
}

void
page_open_fold(struct page *page, struct str tool, struct str label, bool is_open)
{
	struct buf *out = &page->out;

	/* An empty summary is nothing to a screen reader. */
	if (str_trim(tool).len + str_trim(label).len == 0)
		label = STR("text");
	buf_add_str(out, is_open ? STR("<details open><summary>") : STR("<details><summary>"));
	if (tool.len > 0) {
		buf_add_str(out, STR("<span class=t>"));
		page_text_add_line(out, tool);
		buf_add_str(out, STR("</span>"));
	}
	if (tool.len > 0 && label.len > 0)
		buf_add_char(out, ' ');
	page_text_add_line(out, label);
	buf_add_str(out, STR("</summary>"));
}

void
page_close_fold(struct page *page)
{
	buf_add_str(&page->out, STR("</details>"));
}

void
page_fold(struct page *page, struct str tool, struct str label, bool matters)
{
	struct buf *text = &page->screen.text;
	bool is_short = text->len <= OPEN_BYTES && str_count(buf_str(text), '\n') <= OPEN_LINES;

	page_open_fold(page, tool, label, matters && is_short);
	page_painted(page);
	page_close_fold(page);
}

void
page_call(struct page *page, struct str tool, struct str use)
{
	buf_add_str(&page->out, STR("<p>"));
	add_element(&page->out, "span class=t", tool, "span");
	add_element(&page->out, "span", use, "span");
	buf_add_str(&page->out, STR("</p>\n"));
}

void
page_aside(struct page *page)
{
	struct buf *out = &page->out;

	if (!page->is_beside)
		buf_add_str(out, STR("</main>\n<aside id=timeline aria-label=Figures>\n"));
	page->is_beside = true;
	buf_add_str(out, STR("<h2>Timeline</h2>\n"));
}

void
page_end(struct page *page)
{
	buf_add_str(&page->out, page->is_beside ? STR("</aside>\n") : STR("</main>\n"));
	buf_add_fmt(&page->out, "<script>%s</script>\n", script);
}
