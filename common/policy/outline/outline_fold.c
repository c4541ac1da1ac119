#include "policy/outline/outline_fold.h"

#include "data/tool/tool_op.h"

#define FILES " files"

enum { LEAST = 3, MOST = 8, NAMED = 5 };

struct run {
	enum tool_op op;
	uint64_t count;
	struct str directory;   /* of all files */
	struct str path[NAMED]; /* the newest ones, in the places of their number modulo NAMED */
	uint32_t paths;
	uint32_t first, last, heads; /* lines, and how many */
	size_t bytes;                /* that the lines take */
};

/* The path up to its last slash; "": it has none. */
static struct str
directory_of(struct str path)
{
	const char *slash = memrchr(path.ptr, '/', path.len);

	return str_of(path.ptr, slash != NULL ? (size_t)(slash - path.ptr) : 0);
}

static bool
is_in(struct str path, struct str directory)
{
	return directory.len == 0 ||
	    (path.len > directory.len && str_has_prefix(path, directory) &&
		path.ptr[directory.len] == '/');
}

static void
add_path(struct run *run, struct str path)
{
	if (run->paths == 0)
		run->directory = directory_of(path);
	while (!is_in(path, run->directory))
		run->directory = directory_of(run->directory);
	run->path[run->paths++ % NAMED] = path;
}

/* Adds the files of a line that was folded before: "7 files of src: a.c, b.c". */
static bool
add_folded(struct outline *outline, struct run *run, struct str text)
{
	struct str files = text, directory = STR(""), path;
	uint64_t count = 0;
	const char *end;

	while (files.len > 0 && files.ptr[0] >= '0' && files.ptr[0] <= '9' && count < UINT32_MAX) {
		count = count * 10 + (uint64_t)(files.ptr[0] - '0');
		files = str_of(files.ptr + 1, files.len - 1);
	}
	end = str_find(files, STR(": "));
	if (count == 0 || end == NULL || !str_has_prefix(files, STR(FILES)))
		return false;
	directory = str_of(files.ptr + strlen(FILES), (size_t)(end - files.ptr) - strlen(FILES));
	if (str_has_prefix(directory, STR(" of ")))
		directory = str_of(directory.ptr + strlen(" of "), directory.len - strlen(" of "));
	text = str_of(end + 2, (size_t)(files.ptr + files.len - end) - 2);
	while (text.len > 0) {
		struct buf whole = BUF_INIT;

		end = str_find(text, STR(", "));
		path = str_of(text.ptr, end != NULL ? (size_t)(end - text.ptr) : text.len);
		text = end != NULL ? str_of(end + 2, text.len - path.len - 2) : STR("");
		buf_add_str(&whole, directory);
		if (directory.len > 0)
			buf_add_char(&whole, '/');
		buf_add_str(&whole, path);
		add_path(run, arena_copy(&outline->arena, buf_str(&whole)));
		buf_free(&whole);
	}
	run->count += count;
	return true;
}

/* Takes the word in front of the path off a head. OTHER: its call is not of one file. */
static enum tool_op
take_op(struct str *head)
{
	const char *blank = memchr(head->ptr, ' ', head->len);
	enum tool_op op = TOOL_OTHER;

	if (blank != NULL)
		op = tool_op_of(str_of(head->ptr, (size_t)(blank - head->ptr)));
	if (op != TOOL_READ && op != TOOL_WRITE && op != TOOL_EDIT)
		return TOOL_OTHER;
	*head = str_rest(*head, (size_t)(blank - head->ptr) + 1);
	return op;
}

/* The path without the lines of a read behind it. */
static struct str
without_lines(struct str path)
{
	static const struct str signs[] = {
	    STR_INIT(" (from line "), STR_INIT(" (lines "), STR_INIT(" (line ")};

	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
		const char *at = str_find(path, signs[i]);

		path.len = at != NULL ? (size_t)(at - path.ptr) : path.len;
	}
	return path;
}

/* Adds the file of the line; returns whether it is one that may be folded with those before. Of a
 * call that was made again, it counts how the last one ended. */
static bool
add_line(struct outline *outline, struct run *run, const struct outline_line *line)
{
	struct str path = line->text;
	enum tool_op op;

	if (line->kind != OUTLINE_CALL || line->again.ended == OUTLINE_AGAIN_FAILED)
		return false;
	op = take_op(&path);
	if (op == TOOL_OTHER || (run->heads > 0 && op != run->op))
		return false;
	run->op = op;
	if (add_folded(outline, run, path))
		return true;
	path = without_lines(path);
	/* What is quoted, cut or refused stands alone. */
	if (path.len == 0 || path.ptr[0] == '"' || path.ptr[path.len - 1] == ')' ||
	    str_find(path, STR(", ")) != NULL || str_has_suffix(path, STR("…")))
		return false;
	for (uint32_t i = 0; i < run->paths && i < NAMED; i++)
		if (str_eq(path, run->path[i]))
			return true;
	add_path(run, path);
	run->count++;
	return true;
}

/* The line of the run. */
static void
write_run(const struct run *run, struct buf *out)
{
	uint32_t named = run->paths < NAMED ? run->paths : NAMED;

	buf_add_str(out, tool_op_name(run->op));
	buf_add_fmt(out, " %ju" FILES, (uintmax_t)run->count);
	if (run->directory.len > 0)
		buf_add_fmt(out, " of %.*s", STR_ARG(run->directory));
	for (uint32_t i = run->paths - named; i < run->paths; i++) {
		struct str path = run->path[i % NAMED];
		size_t skipped = run->directory.len + (run->directory.len > 0);

		buf_add_str(out, i == run->paths - named ? STR(": ") : STR(", "));
		buf_add_str(out, str_of(path.ptr + skipped, path.len - skipped));
	}
}

/* Folds the run, if that is worth it; returns the bytes that are saved. */
static size_t
fold(struct outline *outline, const struct run *run)
{
	struct outline_line *line = &outline->line[run->first];
	struct buf text = BUF_INIT;
	size_t cost, saved = 0;

	if (run->heads < LEAST || run->count < LEAST)
		return 0;
	write_run(run, &text);
	line->folded = arena_copy(&outline->arena, buf_str(&text));
	line->last = run->last;
	cost = outline_cost(outline, line);
	if (cost < run->bytes) {
		saved = run->bytes - cost;
		for (uint32_t i = run->first + 1; i <= run->last; i++)
			outline->line[i].is_folded = true;
	} else {
		line->folded = STR("");
	}
	buf_free(&text);
	return saved;
}

/* Whether the line parts no run: a detail that had no room, or that says of a file what is worth
 * less than the heads for which folding makes room. */
static bool
is_passed_over(const struct outline *outline, uint32_t i)
{
	const struct outline_line *line = &outline->line[i];

	return line->value == OUTLINE_AGAIN ||
	    (line->head != i &&
		(!line->is_chosen ||
		    (line->kind == OUTLINE_FOUND && line->value < OUTLINE_LOOKED)));
}

void
outline_fold(struct outline *outline, size_t wanted)
{
	struct run run = {.heads = 0};
	size_t saved = 0;

	for (uint32_t i = 0; i < outline->count; i++) {
		outline->line[i].folded = STR("");
		outline->line[i].is_folded = false;
	}
	for (uint32_t i = 0; i < outline->count && saved < wanted; i++) {
		bool is_added;

		if (is_passed_over(outline, i))
			continue;
		is_added = add_line(outline, &run, &outline->line[i]);
		if (!is_added) {
			saved += fold(outline, &run);
			run = (struct run){.heads = 0};
			is_added = add_line(outline, &run, &outline->line[i]);
		}
		if (!is_added)
			continue;
		run.first = run.heads++ == 0 ? i : run.first;
		run.last = i;
		run.bytes += outline_cost(outline, &outline->line[i]);
		if (run.heads == MOST) {
			saved += fold(outline, &run);
			run = (struct run){.heads = 0};
		}
	}
	if (saved < wanted)
		fold(outline, &run);
}
