#include "policy/digest/outline_run.h"

#include "base/byte.h"
#include "base/text/file_path.h"
#include "data/tool/simple_command.h"
#include "policy/outline/outline_call.h"

#define FILES " files"
#define RAN "ran "
#define CALLS " call" /* or calls */
#define LOOKED "looked "
#define TIMES " time" /* or times */

enum { NAME_MOST = 48 };

static const enum tool_op ops[OUTLINE_RUN_OPS] = {TOOL_EDIT, TOOL_WRITE, TOOL_READ};

/* The path up to its last slash; "": it has none. */
static struct str
directory_of(struct str path)
{
	size_t name = str_behind_last(path, '/').len;

	return str_of(path.ptr, name < path.len ? path.len - name - 1 : 0);
}

/* Adds the path, unless the run has it; returns whether it was added. */
static bool
add_path(struct outline *outline, struct outline_run *run, struct outline_run_files *files,
    struct str path)
{
	struct hash hash = hash_number((uint64_t)(files - run->files), hash_label(path));

	run->id = run->id > 0 ? run->id : ++outline->runs;
	if (map_set(&outline->paths, hash, run->id) == run->id)
		return false;
	if (files->paths == 0)
		files->directory = directory_of(path);
	while (files->directory.len > 0 && !file_path_is_under(path, files->directory))
		files->directory = directory_of(files->directory);
	files->path[files->paths++ % OUTLINE_RUN_NAMED] = path;
	return true;
}

/* Takes the text up to the mark, or all, off the other one. */
static struct str
take_until(struct str *text, struct str mark)
{
	const char *end = str_find(*text, mark);
	struct str taken = str_of(text->ptr, end != NULL ? (size_t)(end - text->ptr) : text->len);

	*text = str_rest(*text, taken.len + (end != NULL ? mark.len : 0));
	return taken;
}

/* Takes the number and the word after it; 0: there is none. */
static uint64_t
take_count(struct str *text, struct str word)
{
	struct str rest = *text;
	uint64_t count = 0;

	while (rest.len > 0 && byte_is_digit(rest.ptr[0]) && count < UINT32_MAX) {
		count = count * 10 + (uint64_t)(rest.ptr[0] - '0');
		rest = str_rest(rest, 1);
	}
	if (count == 0 || !str_has_prefix(rest, word))
		return 0;
	*text = str_rest(rest, word.len);
	return count;
}

/* Adds the files of a line that was folded before: "7 files of src: a.c, b.c". Of those that it
 * does not name none is new where one that it names is not. */
static bool
add_folded(struct outline *outline, struct outline_run *run, struct outline_run_files *files,
    struct str text)
{
	uint64_t count = take_count(&text, STR(FILES)), named = 0, added = 0;
	struct str directory;

	if (count == 0 || str_find(text, STR(": ")) == NULL)
		return false;
	directory = take_until(&text, STR(": "));
	if (str_has_prefix(directory, STR(" of ")))
		directory = str_rest(directory, strlen(" of "));
	while (text.len > 0) {
		struct str path = take_until(&text, STR(", "));
		struct buf whole = BUF_INIT;

		buf_add_str(&whole, directory);
		if (directory.len > 0)
			buf_add_char(&whole, '/');
		buf_add_str(&whole, path);
		named++;
		added +=
		    add_path(outline, run, files, arena_copy(&outline->arena, buf_str(&whole)));
		buf_free(&whole);
	}
	if (added == named)
		added = count;
	else if (count > files->count + added)
		added = count - files->count;
	files->count += added;
	run->count += added;
	return true;
}

/* Which files the head is of, whose word is taken off it; OUTLINE_RUN_OPS: its call is not of one
 * file. */
static unsigned
take_op(struct str *head)
{
	const char *blank = memchr(head->ptr, ' ', head->len);
	enum tool_op op = TOOL_OTHER;
	unsigned id = 0;

	if (blank != NULL)
		op = tool_op_of(str_of(head->ptr, (size_t)(blank - head->ptr)));
	while (id < OUTLINE_RUN_OPS && ops[id] != op)
		id++;
	if (id < OUTLINE_RUN_OPS)
		*head = str_rest(*head, (size_t)(blank - head->ptr) + 1);
	return id;
}

/* The path without the line numbers of a read after it. */
static struct str
without_lines(struct str path)
{
	static const struct str signs[] = {
	    STR_INIT(" (from line "), STR_INIT(" (lines "), STR_INIT(" (line ")};

	for (size_t i = 0; i < ARRAY_COUNT(signs); i++) {
		const char *at = str_find(path, signs[i]);

		path.len = at != NULL ? (size_t)(at - path.ptr) : path.len;
	}
	return path;
}

/* Adds the file, or those of a line that was folded before. */
static bool
add_files(struct outline *outline, struct outline_run *run, struct outline_run_files *files,
    struct str path)
{
	if (add_folded(outline, run, files, path))
		return true;
	path = without_lines(path);
	/* A quoted, cut or refused path is a line of its own. */
	if (path.len == 0 || path.ptr[0] == '"' || path.ptr[path.len - 1] == ')' ||
	    str_find(path, STR(", ")) != NULL || str_has_suffix(path, STR("…")))
		return false;
	if (add_path(outline, run, files, path)) {
		files->count++;
		run->count++;
	}
	return true;
}

/* What a simple command is known by, without its options and redirections. */
static struct str
name_of_simple(struct str command)
{
	static const char *const ends[] = {
	    " |", " &&", " ||", " 2>", " >", " <", " -", ", ", "; ", " (", " …"};
	struct str name = command;

	for (size_t i = 0; i < ARRAY_COUNT(ends); i++) {
		struct str rest = command;

		name = take_until(&rest, str_from(ends[i]));
		command = name.len > 0 ? name : command;
	}
	return command;
}

/* The short name of a command: "npm run check" of "cd quay && npm run check 2>&1 | tail -3", and
 * "git add && git push" of "git add -A && git push"; of a long chain the last one, or its first
 * word. Sets *is_own to whether the status of the line is the status of the named command. */
static struct str
name_of(struct outline *outline, struct str command, bool *is_own)
{
	struct simple_command_line commands = SIMPLE_COMMAND_LINE(command);
	struct simple_command c;
	struct buf chain = BUF_INIT;
	struct str last = command;
	bool goes_on = true;

	*is_own = !str_has_suffix(command, STR("…"));
	while (goes_on && simple_command_next(&commands, &c)) {
		goes_on = str_eq(c.operator, STR("&&"));
		*is_own &= goes_on || c.operator.len == 0;
		if (goes_on && str_has_prefix(c.text, STR("cd ")))
			continue;
		last = name_of_simple(c.text);
		buf_add_str(&chain, chain.len > 0 ? STR(" && ") : STR(""));
		buf_add_str(&chain, last);
	}
	if (chain.len > 0 && chain.len <= NAME_MOST)
		last = arena_copy(&outline->arena, buf_str(&chain));
	buf_free(&chain);
	return last.len > NAME_MOST ? take_until(&last, STR(" ")) : last;
}

static void
add_ran(struct outline_run *run, struct str name, struct outline_again again)
{
	struct outline_run_calls *ran;

	run->count += 1 + again.more;
	run->calls += 1 + again.more;
	for (uint32_t i = 0; i < run->names && i < OUTLINE_RUN_NAMED; i++) {
		if (!str_eq(run->ran[i].name, name))
			continue;
		run->ran[i].again.more += 1 + again.more;
		run->ran[i].again.ended = again.ended;
		return;
	}
	ran = &run->ran[run->names++ % OUTLINE_RUN_NAMED];
	*ran = (struct outline_run_calls){.name = name, .again = again};
}

/* If the status of a command is hidden, only a failure is known. */
static void
add_command(struct outline *outline, struct outline_run *run, struct outline_line *line)
{
	struct outline_again again = line->again;

	if (line->known_as.ptr == NULL)
		line->known_as = name_of(outline, str_rest(line->text, 2), &line->is_own);
	if (!line->is_own && again.outcome != OUTLINE_AGAIN_FAILED)
		again.outcome = OUTLINE_AGAIN_OPEN;
	if (!line->is_own && again.ended != OUTLINE_AGAIN_FAILED)
		again.ended = OUTLINE_AGAIN_OPEN;
	add_ran(run, line->known_as, again);
}

/* Adds the calls of a line that was folded before: "5 calls: make (3 more times), ls". */
static void
add_ran_folded(struct outline_run *run, struct str text)
{
	uint64_t count = take_count(&text, STR(CALLS)), all = run->count + count,
		 calls = run->calls + count;

	if (count > 0)
		take_until(&text, STR(": "));
	while (text.len > 0) {
		struct str name = take_until(&text, STR(", "));
		struct outline_again again;

		/* ", the last ok)" is of the name. */
		if (str_has_prefix(text, STR("the last "))) {
			struct str end = take_until(&text, STR(", "));

			name.len = (size_t)(end.ptr + end.len - name.ptr);
		}
		again = outline_again_take(&name);
		add_ran(run, name, again);
	}
	if (count > 0) {
		run->count = all;
		run->calls = calls;
	}
}

/* Adds one part of a line, which ends with "; " if others follow. */
static bool
add_part(struct outline *outline, struct outline_run *run, struct str part)
{
	unsigned id = take_op(&part);
	uint64_t looked;

	if (id < OUTLINE_RUN_OPS)
		return add_files(outline, run, &run->files[id], part);
	if (str_has_prefix(part, STR(RAN))) {
		add_ran_folded(run, str_rest(part, strlen(RAN)));
		return true;
	}
	part = str_rest(part, str_has_prefix(part, STR(LOOKED)) ? strlen(LOOKED) : part.len);
	looked = take_count(&part, STR(TIMES));
	run->looked += looked;
	run->count += looked;
	return looked > 0;
}

bool
outline_run_add(struct outline *outline, struct outline_run *run, uint32_t index)
{
	struct outline_line *line = &outline->line[index];
	struct str text = line->text, head = text;
	bool is_shell = str_has_prefix(text, STR("$ "));

	if (str_has_suffix(text, STR(" (refused)")))
		return false;
	if (is_shell && outline_call_reads(str_rest(text, 2))) {
		run->looked += 1 + line->again.more;
		run->count += 1 + line->again.more;
	} else if (is_shell) {
		add_command(outline, run, line);
	} else if (take_op(&head) == OUTLINE_RUN_OPS && !str_has_prefix(text, STR(RAN)) &&
	    !str_has_prefix(text, STR(LOOKED))) {
		add_ran(run, take_until(&head, STR(" ")), line->again);
	} else if (line->again.ended == OUTLINE_AGAIN_FAILED) {
		return false;
	} else {
		while (text.len > 0)
			if (!add_part(outline, run, take_until(&text, STR("; "))))
				return false;
	}
	return true;
}

static void
write_files(const struct outline_run_files *files, enum tool_op op, uint32_t named, struct buf *out)
{
	named = files->paths < named ? files->paths : named;
	buf_add_str(out, tool_op_name(op));
	buf_add_char(out, ' ');
	if (files->count == 1) {
		buf_add_str(out, files->path[0]);
		return;
	}
	buf_add_fmt(out, "%ju" FILES, (uintmax_t)files->count);
	if (files->directory.len > 0)
		buf_add_fmt(out, " of %.*s", STR_ARG(files->directory));
	for (uint32_t i = files->paths - named; i < files->paths; i++) {
		struct str path = files->path[i % OUTLINE_RUN_NAMED];

		buf_add_str(out, i == files->paths - named ? STR(": ") : STR(", "));
		buf_add_str(out, str_rest(path, files->directory.len + (files->directory.len > 0)));
	}
}

/* One call that has a name needs no number. */
static void
write_ran(const struct outline_run *run, uint32_t named, struct buf *out)
{
	bool is_one = run->names == 1 && run->calls == 1 + run->ran[0].again.more;

	named = run->names < named ? run->names : named;
	buf_add_str(out, STR(RAN));
	if (!is_one)
		buf_add_fmt(
		    out, "%ju%s", (uintmax_t)run->calls, run->calls == 1 ? CALLS : CALLS "s");
	for (uint32_t i = run->names - named; i < run->names; i++) {
		buf_add_str(out,
		    is_one                      ? STR("") :
			i == run->names - named ? STR(": ") :
						  STR(", "));
		buf_add_str(out, run->ran[i % OUTLINE_RUN_NAMED].name);
		outline_again_write(&run->ran[i % OUTLINE_RUN_NAMED].again, out);
	}
}

void
outline_run_write(const struct outline_run *run, uint32_t named, struct buf *out)
{
	for (unsigned id = 0; id < OUTLINE_RUN_OPS; id++) {
		if (run->files[id].paths == 0)
			continue;
		buf_add_str(out, out->len > 0 ? STR("; ") : STR(""));
		/* What was read can be read again. */
		write_files(&run->files[id], ops[id],
		    ops[id] == TOOL_READ && named < OUTLINE_RUN_NAMED ? 1 : named, out);
	}
	if (run->calls > 0) {
		buf_add_str(out, out->len > 0 ? STR("; ") : STR(""));
		write_ran(run, named, out);
	}
	if (run->looked > 0)
		buf_add_fmt(out, "%s" LOOKED "%ju%s", out->len > 0 ? "; " : "",
		    (uintmax_t)run->looked, run->looked == 1 ? TIMES : TIMES "s");
}
