#include "policy/compact/shorten.h"

#include "base/byte.h"
#include "base/number.h"
#include "base/text/file_path.h"
#include "data/message/part.h"
#include "json/nested.h"
#include "json/string.h"
#include "json/write.h"
#include "policy/text/cut.h"

/* Of a text that is over the limit, half the limit stays, and a quarter of it in telling lines. */
enum { KEEP_SHARE = 2, LINES_SHARE = 4 };

enum { TOKEN_BYTES = 4 }; /* for values that are no text, if the limit is in tokens */

/* Whether the line of a patch names a file. */
static bool
names_file(struct str line)
{
	struct str path;

	return line.ptr[0] == '*' && tool_patch_next(&line, &path, NULL);
}

/* Appends the placeholder of a text, and the lines of it that name files. */
static void
mask_text(struct str text, const struct shorten *how, struct buf *out)
{
	struct buf lines = BUF_INIT;

	cut_keep_lines(text, 0, text.len, SIZE_MAX, names_file, &lines);
	buf_add_str(out, STR("[argument masked, "));
	number_write_size(out, text.len);
	buf_add_str(out, how->recall);
	buf_add_str(out, lines.len > 0 ? STR("]\n") : STR("]"));
	buf_add_str(out, buf_str(&lines));
	buf_free(&lines);
}

/* Appends a text that is longer than over bytes, cut. */
static void
cut_text(struct str text, const struct shorten *how, size_t over, struct buf *out)
{
	size_t begin, end, keep = how->keep > 0 ? how->keep : over / KEEP_SHARE;
	struct buf lines = BUF_INIT;

	cut_find(text, keep / 2, keep / 2, false, &begin, &end);
	if (how->is_shell || how->is_patch)
		cut_keep_lines(text, begin, end, over / LINES_SHARE,
		    how->is_patch ? names_file : cut_tells_of_error, &lines);
	cut_write(text, begin, end, buf_str(&lines), how->recall, out);
	buf_free(&lines);
}

/* The bytes over which the text is long. A text has at most one token for each byte. A longer text
 * reaches the limit at the byte where it has that share of its tokens. */
static size_t
long_over(struct str text, const struct shorten *how)
{
	uint64_t tokens;

	if (how->in_tokens == NULL || text.len <= how->over)
		return how->over;
	tokens = estimate_text(how->in_tokens, text);
	return tokens <= how->over ?
	    text.len :
	    (size_t)((double)text.len / (double)tokens * (double)how->over);
}

static void
add_path(void *context, enum tool_op kind, struct str path)
{
	if (kind == TOOL_READ)
		return;
	buf_add_str(context, path);
	buf_add_char(context, '\0');
}

/* The files that a text names as a shell command, or as a patch. */
static void
add_written(struct str text, bool is_shell, struct buf *paths)
{
	struct arena arena = ARENA_INIT;
	struct str path;

	if (is_shell)
		tool_shell_files(text, &arena, add_path, paths);
	while (!is_shell && tool_patch_next(&text, &path, NULL))
		add_path(paths, TOOL_EDIT, path);
	arena_free(&arena);
}

/* Whether two shell commands write the same files, as far as one can tell, or two patches name the
 * same ones. */
static bool
writes_same(struct str a, struct str b, bool is_shell)
{
	struct buf a_paths = BUF_INIT, b_paths = BUF_INIT;
	bool same;

	add_written(a, is_shell, &a_paths);
	add_written(b, is_shell, &b_paths);
	same = str_eq(buf_str(&a_paths), buf_str(&b_paths));
	buf_free(&a_paths);
	buf_free(&b_paths);
	return same;
}

/* Puts a shorter text in place of a JSON string that has lines to condense, or is over the limit,
 * unless the cut argument of use, if that is not NULL, would show less of the files that the call
 * writes. */
static void
shorten_string(struct json_edit *edit, struct json_value string, const struct shorten *how,
    const struct tool_use *use)
{
	struct buf text = BUF_INIT, brief = BUF_INIT, cut = BUF_INIT, json = BUF_INIT;
	bool is_brief, is_long;
	struct str rest;
	size_t over;

	json_decode(string, &text);
	is_brief = how->condense != NULL &&
	    condense_text(how->condense, buf_str(&text), how->recall, &brief);
	rest = buf_str(is_brief ? &brief : &text);
	over = long_over(rest, how);
	if (over < how->keep)
		over = how->keep;
	is_long = rest.len > over;
	if (is_long && how->is_masked)
		mask_text(rest, how, &cut);
	else if (is_long)
		cut_text(rest, how, over, &cut);
	if (is_long && (!how->is_masked || cut.len < rest.len) &&
	    (use == NULL || writes_same(buf_str(&text), buf_str(&cut), use->op == TOOL_SHELL)))
		rest = buf_str(&cut);
	if (rest.ptr != text.ptr) {
		json_write_string(&json, rest);
		json_edit_replace(edit, json_span(string), json_edit_keep(edit, buf_str(&json)));
	}
	buf_free(&text);
	buf_free(&brief);
	buf_free(&cut);
	buf_free(&json);
}

static struct str
media_placeholder(enum part_kind kind)
{
	if (kind == PART_IMAGE)
		return STR("{\"type\":\"text\",\"text\":\"[image removed]\"}");
	if (kind == PART_AUDIO)
		return STR("{\"type\":\"text\",\"text\":\"[audio removed]\"}");
	return STR("{\"type\":\"text\",\"text\":\"[file removed]\"}");
}

static void
put_thinking(struct json_edit *edit, struct json_value part, const struct shorten *how)
{
	struct buf text = BUF_INIT, json = BUF_INIT;

	buf_add_str(&text, STR("[removed"));
	buf_add_str(&text, how->recall);
	buf_add_char(&text, ']');
	buf_add_str(&json, STR("{\"type\":\"thinking\",\"thinking\":"));
	json_write_string(&json, buf_str(&text));
	buf_add_char(&json, '}');
	json_edit_replace(edit, json_span(part), json_edit_keep(edit, buf_str(&json)));
	buf_free(&text);
	buf_free(&json);
}

/* Whether a media part holds the bytes themselves. A part that only names a place is short. */
static bool
is_inline(struct json_value part, const struct shorten *how)
{
	size_t over = how->in_tokens != NULL ? how->over * TOKEN_BYTES : how->over;

	return part.len > over && memmem(part.ptr, part.len, "data", 4) != NULL;
}

static bool
removes_media(const struct part *part, struct json_value value, const struct shorten *how)
{
	return part_is_media(part) && how->media && is_inline(value, how);
}

bool
shorten_has_media(const struct message *message, const struct shorten *how)
{
	struct part part;

	if (message->content.type != JSON_ARRAY)
		return false;
	for (struct json_walk parts = json_walk_of(message->content); json_walk_next(&parts);) {
		part_read(parts.value, &part);
		if (removes_media(&part, parts.value, how))
			return true;
	}
	return false;
}

static void
shorten_part(struct json_edit *edit, struct json_value value, const struct shorten *how)
{
	struct json_value text;
	struct part part;

	part_read(value, &part);
	text = part_plain_text(&part);
	if (removes_media(&part, value, how))
		json_edit_replace(edit, json_span(value), media_placeholder(part.kind));
	else if (part.kind == PART_THINKING && how->thinking)
		put_thinking(edit, value, how);
	else if (text.type == JSON_STRING && how->texts)
		shorten_string(edit, text, how, NULL);
}

void
shorten_content(const struct message *message, const struct shorten *how, struct json_edit *edit)
{
	struct json_value content = message->content;

	if (message->result_text.type == JSON_STRING && how->texts)
		shorten_string(edit, message->result_text, how, NULL);

	if (content.type == JSON_STRING && how->texts)
		shorten_string(edit, content, how, NULL);
	for (struct json_walk parts = json_walk_list(content); json_walk_next(&parts);)
		shorten_part(edit, parts.value, how);
}

static bool
is_path(struct json_value string, const struct tool_use *use)
{
	struct buf text = BUF_INIT;
	struct arena arena = ARENA_INIT;
	bool same;

	if (use->op != TOOL_READ && use->op != TOOL_WRITE && use->op != TOOL_EDIT)
		return false;
	json_decode(string, &text);
	same = str_eq(file_path_normalize(buf_str(&text), &arena), use->target);
	buf_free(&text);
	arena_free(&arena);
	return same;
}

/* Puts a cut text in place of a string in the arguments of a call. */
static void
shorten_argument(struct json_edit *edit, struct json_value string, const struct tool_use *use,
    const struct shorten *how)
{
	struct shorten patch = {.over = how->over,
	    .in_tokens = how->in_tokens,
	    .texts = true,
	    .is_patch = true,
	    .is_masked = how->is_masked,
	    .recall = how->recall};

	shorten_string(edit, string, &patch, use);
}

/* The strings of a valid JSON text are between quotes, at any depth; a string before a colon is a
 * name. */
static void
shorten_strings(
    struct str json, const struct tool_use *use, const struct shorten *how, struct json_edit *edit)
{
	const char *p = json.ptr, *end = json.ptr + json.len;

	while (p < end && (p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		struct json_value string = json_value_at(p);
		const char *next = p + string.len;

		while (next < end && byte_is_blank(*next))
			next++;
		if ((next == end || *next != ':') && string.len - 2 > how->over &&
		    !is_path(string, use))
			shorten_argument(edit, string, use, how);
		p = next;
	}
}

/* Arguments in a JSON string: the JSON in the string is shortened, and made a string again. Some
 * tools take a string that holds no JSON; that is a text like any other. */
static void
shorten_nested(struct json_value arguments, const struct tool_use *use, const struct shorten *how,
    struct json_edit *edit)
{
	struct json_nested nested;
	struct json_edit inner;
	struct buf json = BUF_INIT;

	json_nested_read(&nested, arguments, &edit->arena);
	if (nested.value.type == JSON_ABSENT) {
		shorten_argument(edit, arguments, use, how);
		return;
	}
	json_edit_init(&inner, nested.text);
	shorten_strings(nested.text, use, how, &inner);
	if (inner.count > 0) {
		json_nested_write(&inner, &json);
		json_edit_replace(edit, json_span(arguments), json_edit_keep(edit, buf_str(&json)));
	}
	json_edit_free(&inner);
	buf_free(&json);
}

void
shorten_arguments(struct json_value arguments, const struct tool_use *use,
    const struct shorten *how, struct json_edit *edit)
{
	if (arguments.type == JSON_STRING && arguments.len > how->over)
		shorten_nested(arguments, use, how, edit);
	else
		shorten_strings(json_span(arguments), use, how, edit);
}
