/*
 * -F: writes the best passages (passages.h), each with the lines around it, which are read again.
 */
#include <stdlib.h>

#include "passages.h"

enum {
	ROOM = 450,      /* bytes of a passage with the lines around it; more when they are few */
	LINE_MOST = 400, /* bytes that are shown of a line */
};

/* The entry of the passage that is written, and the lines that were. */
struct passage_writer {
	struct look_up *recall;
	uint32_t item;
	uint32_t headed; /* the entry of the last heading, or NONE */
	struct buf text;
	struct buf whose;
	struct map lines;
	size_t room; /* bytes of a passage with the lines around it */
};

/* Extends text to the left by the line before it, but not beyond from. */
static bool
take_before(const char *from, struct str *text)
{
	const char *start;

	if (text->ptr == from)
		return false;
	start = str_behind_last(str_of(from, (size_t)(text->ptr - 1 - from)), '\n').ptr;
	*text = str_of(start, text->len + (size_t)(text->ptr - start));
	return true;
}

static bool
take_after(const char *end, struct str *text)
{
	struct str rest = str_of(text->ptr + text->len, (size_t)(end - text->ptr) - text->len);

	if (rest.len == 0)
		return false;
	str_take_line(&rest);
	text->len = (size_t)(rest.ptr - text->ptr);
	return true;
}

/* The whole lines of the passage and those around it: as many as -C says, or as there is room. */
static struct str
lines_around(const struct passage_writer *w, const struct passage *passage)
{
	uint64_t context = w->recall->options->context;
	const char *start = w->text.ptr, *end = start + w->text.len;
	struct str lines = str_of(start + passage->from, 0), more;
	bool grows = true;

	if (passage->from > 0 && start[passage->from - 1] != '\n')
		take_before(start, &lines);
	while (lines.ptr + lines.len < start + passage->to)
		take_after(end, &lines);
	for (uint64_t n = 0; n < context && grows; n++) {
		grows = false;
		more = lines;
		if (take_after(end, &more) &&
		    (context != LOOK_UP_NO_CONTEXT || more.len <= w->room)) {
			lines = more;
			grows = true;
		}
		more = lines;
		if (take_before(start, &more) &&
		    (context != LOOK_UP_NO_CONTEXT || more.len <= w->room)) {
			lines = more;
			grows = true;
		}
	}
	return lines;
}

/* Whether the line has words, and no line of the answer has the same; a short line counts only by
 * its place. */
static bool
is_new(struct passage_writer *w, struct str line, uint64_t number)
{
	enum { SHORT = 20 };
	struct hash key = hash_label(str_trim(line));

	if (str_trim(line).len <= SHORT)
		key = hash_number(number, hash_number(w->item, key));
	return str_trim(line).len > 0 && map_set(&w->lines, key, 1) == MAP_NONE;
}

static uint64_t
line_number(const struct passage_writer *w, const char *at)
{
	struct str before = str_of(w->text.ptr, (size_t)(at - w->text.ptr));
	uint64_t number = 1;

	for (; before.len > 0; number++)
		str_take_line(&before);
	return number;
}

/* Appends the passage, unless all its lines are in the answer. */
static void
write_passage(struct passage_writer *w, const struct passage *passage)
{
	struct look_up *recall = w->recall;
	const char *from = w->text.ptr + passage->from, *to = w->text.ptr + passage->to;
	struct str lines = lines_around(w, passage);
	uint64_t number = line_number(w, lines.ptr);
	size_t start = recall->answer.len, empty, end = 0;

	if (w->headed != passage->item)
		look_up_add_heading(recall, passage->item, buf_str(&w->whose));
	empty = recall->answer.len;
	for (; lines.len > 0; number++) {
		struct str line = str_take_line(&lines);
		bool is_hit = line.ptr < to && from < line.ptr + line.len;
		const char *match = is_hit && from > line.ptr ? from : line.ptr;
		const char *last = line.ptr + line.len < to ? line.ptr + line.len : to;

		if (!is_new(w, line, number))
			continue;
		look_up_add_line(recall, number, is_hit ? ':' : '-', line,
		    str_of(match, is_hit ? (size_t)(last - match) : 0), LINE_MOST);
		if (is_hit || end == 0)
			end = recall->answer.len - 1;
	}
	if (recall->answer.len == empty)
		recall->answer.len = start;
	else if (look_up_add_hit(recall, passage->item, start, end)) {
		recall->hit[recall->hit_count - 1].keys = passage->keys;
		w->headed = passage->item;
	}
}

/* If there are few passages, they share the room of the answer. */
static size_t
room_of(const struct look_up_options *options, size_t count)
{
	enum { TOKEN_BYTES = 3 };
	uint64_t tokens = options->tokens, most = (uint64_t)1 << 32;
	uint64_t room = (tokens < most ? tokens : most) * TOKEN_BYTES / (count + 1);

	return room > ROOM ? (size_t)room : ROOM;
}

void
ranked_search_run(struct look_up *recall)
{
	struct passage *list;
	size_t count = passages_find(recall, &list);
	struct passage_writer w = {.recall = recall,
	    .item = NONE,
	    .headed = NONE,
	    .room = room_of(recall->options, count)};

	for (size_t i = 0; i < count; i++) {
		if (look_up_is_full(recall)) {
			recall->has_more = true;
			break;
		}
		if (w.item != list[i].item &&
		    !look_up_text(recall, list[i].item, &w.text, &w.whose))
			continue;
		w.item = list[i].item;
		write_passage(&w, &list[i]);
	}
	look_up_finish(recall);
	free(list);
	buf_free(&w.text);
	buf_free(&w.whose);
	map_free(&w.lines);
}
