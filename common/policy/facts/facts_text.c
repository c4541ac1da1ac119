#include "policy/facts/facts_text.h"

#include "base/number.h"
#include "base/text/text.h"
#include "json/string.h"
#include "policy/text/cut.h"
#include "policy/text/quote.h"

enum {
	SHOWN_BYTES = 200, /* the most of a thing that the text shows */
	COMPARED = 100     /* paths of a list by which the directory is chosen */
};

/* A thing in its visible form, cut if it is long. A JSON string becomes its text; other JSON stays
 * JSON. */
static void
write_shown(struct str item, bool is_json, struct buf *out)
{
	struct buf text = BUF_INIT, shown = BUF_INIT;
	bool is_text = !is_json || item.ptr[0] == '"';

	if (is_json && is_text)
		item = json_text(json_value_at(item.ptr), &text);
	cut_middle(item, SHOWN_BYTES, &shown);
	if (is_text)
		quote_add(out, buf_str(&shown), str_find(buf_str(&shown), STR(", ")) != NULL);
	else
		text_add_visible(out, buf_str(&shown));
	buf_free(&text);
	buf_free(&shown);
}

/* A list as the text shows it. */
struct shown {
	const struct things *list;
	const char *title;
	const struct things *but; /* whose things are left out, or NULL */
	struct str directory;     /* whose paths are relative; "": none */
	uint32_t first;           /* the newest things, from this item on */
	uint32_t count, all;
};

static bool
is_under(struct str path, struct str directory)
{
	return directory.len > 0 && path.len > directory.len + 1 &&
	    str_has_prefix(path, directory) && path.ptr[directory.len] == '/';
}

static bool
is_listed(const struct shown *shown, uint32_t i)
{
	struct str item = shown->list->item[i];

	return item.len > 0 && (shown->but == NULL || !things_has(shown->but, item));
}

static void
write_item(const struct shown *shown, uint32_t i, struct buf *out)
{
	struct str item = shown->list->item[i];

	if (is_under(item, shown->directory))
		item = str_of(
		    item.ptr + shown->directory.len + 1, item.len - shown->directory.len - 1);
	write_shown(item, shown->list->is_json, out);
}

/* Takes the newest things of a list whose names fit into *room bytes, and takes these bytes off. */
static void
choose(struct shown *shown, size_t *room)
{
	struct buf name = BUF_INIT;
	bool is_full = false;

	shown->first = shown->list->used;
	for (uint32_t i = shown->list->used; i-- > 0;) {
		if (!is_listed(shown, i))
			continue;
		shown->all++;
		if (is_full)
			continue;
		buf_reset(&name);
		write_item(shown, i, &name);
		is_full = name.len + strlen(", ") > *room;
		if (is_full)
			continue;
		*room -= name.len + strlen(", ");
		shown->first = i;
		shown->count++;
	}
	buf_free(&name);
}

static void
write_line(const struct shown *shown, struct buf *out)
{
	const char *before = "";

	if (shown->all == 0)
		return;
	buf_add_fmt(out, "\n%s: ", shown->title);
	for (uint32_t i = shown->first; i < shown->list->used; i++) {
		if (!is_listed(shown, i))
			continue;
		buf_add_str(out, str_from(before));
		write_item(shown, i, out);
		before = ", ";
	}
	if (shown->count == shown->all)
		return;
	buf_add_str(out, shown->count > 0 ? STR(" and ") : STR(""));
	number_write_grouped(out, shown->all - shown->count);
	buf_add_str(out, STR(" more"));
}

/* How many bytes the newest paths of the list save by the directory. */
static size_t
saved_by(const struct things *list, struct str directory)
{
	size_t saved = 0;
	uint32_t seen = 0;

	for (uint32_t i = list->used; i-- > 0 && seen < COMPARED; seen++)
		if (is_under(list->item[i], directory))
			saved += directory.len + 1;
	return saved;
}

/* The directory of which the newest absolute path is that saves most, or "". */
static struct str
find_directory(const struct facts *facts)
{
	const struct things *written = &facts->list[FACTS_MODIFIED];
	const struct things *list = written->count > 0 ? written : &facts->list[FACTS_READ];
	struct str path = STR(""), best = STR("");
	size_t most = 0;

	for (uint32_t i = list->used; i-- > 0 && path.len == 0;)
		if (list->item[i].len > 0 && list->item[i].ptr[0] == '/')
			path = list->item[i];
	for (size_t i = 1; i < path.len; i++) {
		struct str directory = str_of(path.ptr, i);
		size_t saved;

		if (path.ptr[i] != '/')
			continue;
		saved =
		    saved_by(written, directory) + saved_by(&facts->list[FACTS_READ], directory);
		if (saved > most + i + strlen("Directory: ")) {
			most = saved;
			best = directory;
		}
	}
	return quote_is_needed(best) ? STR("") : best;
}

/* Whether the text names the call: several attempts are gone, and no success ended them. */
static bool
is_told(const struct tried_call *item)
{
	return item->count > 1 && !str_eq(item->outcome, STR("ok"));
}

/* "10 of bash make test (the last failed)" */
static void
write_attempts(const struct tried_call *item, struct buf *out)
{
	number_write_grouped(out, item->count);
	buf_add_str(out, STR(" of "));
	quote_add(out, item->call, str_find(item->call, STR(", ")) != NULL);
	buf_add_str(out,
	    str_eq(item->outcome, STR("error")) ? STR(" (the last failed)") :
						  STR(" (the last has no result)"));
}

/* Names the newest of these calls, as many as there is room for. */
static void
write_tried(const struct tried *tried, size_t room, struct buf *out)
{
	struct buf text = BUF_INIT;
	uint32_t first = tried->count;
	const char *before = "\nAttempts: ";

	while (first > 0 && text.len <= room) {
		buf_add_str(&text, STR(", "));
		if (is_told(&tried->item[--first]))
			write_attempts(&tried->item[first], &text);
	}
	first += text.len > room;
	for (; first < tried->count; first++) {
		if (!is_told(&tried->item[first]))
			continue;
		buf_add_str(out, str_from(before));
		write_attempts(&tried->item[first], out);
		before = ", ";
	}
	buf_free(&text);
}

void
facts_text_write(const struct facts *facts, size_t room, struct buf *buf)
{
	const struct things *written = &facts->list[FACTS_MODIFIED];
	struct str directory = STR("");
	struct shown read, modified, unresolved;

	if (room == 0)
		return;
	directory = find_directory(facts);
	read = (struct shown){&facts->list[FACTS_READ], "Files read", written, directory, 0, 0, 0};
	modified = (struct shown){written, "Files modified", NULL, directory, 0, 0, 0};
	unresolved =
	    (struct shown){&facts->list[FACTS_UNRESOLVED], "Unresolved", NULL, STR(""), 0, 0, 0};
	choose(&unresolved, &room);
	choose(&modified, &room);
	choose(&read, &room);
	if (directory.len > 0)
		buf_add_fmt(buf, "\nDirectory: %.*s", STR_ARG(directory));
	write_line(&read, buf);
	write_line(&modified, buf);
	write_line(&unresolved, buf);
	write_tried(&facts->tried, room, buf);
}
