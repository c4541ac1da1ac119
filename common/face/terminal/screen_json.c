#include "face/terminal/screen.h"

#include "json/members.h"
#include "json/string.h"

enum {
	SHORT = 60,       /* bytes of a value that stays on its line */
	INDENT_MOST = 40, /* levels; deeper values are not indented further */
};

static void
begin_line(struct buf *out, unsigned depth)
{
	unsigned levels = depth < INDENT_MOST ? depth : INDENT_MOST;

	buf_add_fmt(out, "\n%*s", (int)(2 * levels), "");
}

/* Appends an opening bracket, or a whole empty value. Returns the place after it. */
static const char *
open_level(const char *p, unsigned *depth, struct buf *out)
{
	const char *next = p + 1;

	while (*next == ' ' || *next == '\t' || *next == '\n' || *next == '\r')
		next++;
	buf_add_char(out, *p);
	if (*next == ']' || *next == '}') {
		buf_add_char(out, *next);
		return next + 1;
	}
	begin_line(out, ++*depth);
	return next;
}

/* Appends valid JSON, laid out. */
static void
lay_out(struct str json, struct buf *out)
{
	const char *p = json.ptr, *end = p + json.len;
	unsigned depth = 0;

	while (p < end) {
		if (*p == '"') {
			struct str string = json_span(json_value_at(p));

			buf_add_str(out, string);
			p += string.len;
		} else if (*p == '{' || *p == '[') {
			p = open_level(p, &depth, out);
		} else {
			if (*p == '}' || *p == ']')
				begin_line(out, --depth);
			if (*p != ' ' && *p != '\t' && *p != '\n' && *p != '\r')
				buf_add_char(out, *p);
			if (*p == ',')
				begin_line(out, depth);
			else if (*p == ':')
				buf_add_char(out, ' ');
			p++;
		}
	}
}

void
screen_json(struct screen *screen, struct json_value value, struct str prefix)
{
	struct buf out = BUF_INIT;

	lay_out(json_span(value), &out);
	screen_lines(screen, buf_str(&out), prefix, PAINT_NONE);
	buf_free(&out);
}

/* The bytes of the lines that both texts begin with. */
static size_t
common_start(struct str a, struct str b)
{
	size_t at = 0, line = 0;

	for (; at < a.len && at < b.len && a.ptr[at] == b.ptr[at]; at++)
		if (a.ptr[at] == '\n')
			line = at + 1;
	return at == a.len && at == b.len ? at : line;
}

/* The bytes of the lines that both texts end with. */
static size_t
common_end(struct str a, struct str b)
{
	size_t at = 0, line = 0;

	for (; at < a.len && at < b.len && a.ptr[a.len - 1 - at] == b.ptr[b.len - 1 - at]; at++)
		if (a.ptr[a.len - 1 - at] == '\n')
			line = at;
	return line;
}

static void
add_side(struct screen *screen, struct str text, const char *mark, struct str prefix,
    enum cells_paint paint)
{
	struct buf front = BUF_INIT;

	buf_add_fmt(&front, "%.*s%s", STR_ARG(prefix), mark);
	if (text.len > 0)
		screen_lines(screen, text, buf_str(&front), paint);
	buf_free(&front);
}

static void
add_diff(struct screen *screen, struct str before, struct str after, struct str prefix)
{
	size_t start = common_start(before, after), end;

	add_side(screen, str_of(before.ptr, start), "  ", prefix, PAINT_FAINT);
	before = str_rest(before, start);
	after = str_rest(after, start);
	end = common_end(before, after);
	add_side(screen, str_of(before.ptr, before.len - end), "- ", prefix, PAINT_RED);
	add_side(screen, str_of(after.ptr, after.len - end), "+ ", prefix, PAINT_GREEN);
	add_side(screen, str_rest(before, before.len - end), "  ", prefix, PAINT_FAINT);
}

static bool
is_named(struct json_value name, struct str start)
{
	return str_has_prefix(json_inner(name), start);
}

/* Adds a value after its name, with which the text ends. */
static void
add_value(struct screen *screen, struct json_value value, struct str name, struct str prefix)
{
	struct buf line = BUF_INIT, deeper = BUF_INIT, decoded = BUF_INIT;
	bool is_string = value.type == JSON_STRING;
	struct str text = is_string ? json_text(value, &decoded) : json_span(value);
	bool is_long =
	    is_string ? !str_is_one_line(text) : json_has_elements(value) && text.len > SHORT;

	buf_add_fmt(&line, "%.*s:%s", STR_ARG(name), is_long ? "" : " ");
	if (!is_long)
		buf_add_str(&line, text);
	buf_add_fmt(&deeper, "%.*s    ", STR_ARG(prefix));
	screen_lines(screen, buf_str(&line), prefix, PAINT_NONE);
	if (is_long && is_string)
		screen_lines(screen, text, buf_str(&deeper), PAINT_NONE);
	else if (is_long)
		screen_json(screen, value, buf_str(&deeper));
	buf_free(&line);
	buf_free(&deeper);
	buf_free(&decoded);
}

/* Adds the objects of a list of edits, one below the other. Returns whether it is one. */
static bool
add_edits(struct screen *screen, struct json_value list, struct str prefix)
{
	struct json_walk first = json_walk_members(json_first(list));
	bool has_old = false;

	while (!has_old && json_walk_next(&first))
		has_old = is_named(first.name, STR("old"));
	if (!has_old || !json_is_list_of(list, JSON_OBJECT))
		return false;
	for (struct json_walk walk = json_walk_list(list); json_walk_next(&walk);)
		screen_members(screen, walk.value, prefix);
	return true;
}

void
screen_members(struct screen *screen, struct json_value object, struct str prefix)
{
	struct buf name = BUF_INIT, before = BUF_INIT, after = BUF_INIT;
	bool has_old = false;

	for (struct json_walk walk = json_walk_members(object); json_walk_next(&walk);) {
		bool is_string = walk.value.type == JSON_STRING;

		if (is_string && !has_old && is_named(walk.name, STR("old"))) {
			buf_reset(&before);
			json_decode(walk.value, &before);
			has_old = true;
		} else if (is_string && has_old && is_named(walk.name, STR("new"))) {
			buf_reset(&after);
			json_decode(walk.value, &after);
			add_diff(screen, buf_str(&before), buf_str(&after), prefix);
			has_old = false;
		} else if (!add_edits(screen, walk.value, prefix)) {
			add_value(screen, walk.value, json_text(walk.name, &name), prefix);
		}
	}
	if (has_old)
		add_diff(screen, buf_str(&before), STR(""), prefix);
	buf_free(&name);
	buf_free(&before);
	buf_free(&after);
}
