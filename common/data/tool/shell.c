/*
 * Finds, without a shell, the files that a shell command certainly writes or prints. Each simple
 * command is examined by itself. Words that need expansion ($, `, *, ?) or have a quote inside are
 * ignored. The result shows which earlier reads are stale. When a write is missed, a stale read
 * stays in the session; when a write is found wrongly, a read that is still needed is lost.
 */
#include "base/byte.h"
#include "base/text/file_path.h"
#include "data/tool/shell_made.h"
#include "data/tool/tools.h"

#include <strings.h>

/* The files of sed. Its first operand is the script, unless an option has given one. */
static void
report_sed(struct shell_path *shell, enum tool_op kind)
{
	bool has_script = shell_path_has_option(shell, "-e") || shell_path_has_option(shell, "-f");

	for (unsigned i = 1; i < shell->command.words; i++) {
		struct str word = shell->command.word[i];

		if (str_eq(word, STR("-e")) || str_eq(word, STR("-f")))
			i++;
		else if (!str_has_prefix(word, STR("-")) && !has_script)
			has_script = true;
		else
			shell_path_report(shell, word, kind);
	}
}

/* Finds all operands from the given word on; options are left out. The last ones, of the given
 * number, are written, and those before are removed. */
static void
report_operands(struct shell_path *shell, unsigned first, unsigned written)
{
	for (unsigned i = first; i < shell->command.words; i++)
		shell_path_report(shell, shell->command.word[i],
		    i + written < shell->command.words ? TOOL_DELETE : TOOL_EDIT);
}

/* git restore: the operands, without the tree that the files come from. */
static void
report_restore(struct shell_path *shell)
{
	for (unsigned i = 2; i < shell->command.words; i++) {
		if (str_eq(shell->command.word[i], STR("-s")) ||
		    str_eq(shell->command.word[i], STR("--source")))
			i++;
		else
			shell_path_report(shell, shell->command.word[i], TOOL_EDIT);
	}
}

static void
report_git(struct shell_path *shell)
{
	struct str verb = shell->command.words > 1 ? shell->command.word[1] : STR("");

	if (str_eq(verb, STR("checkout"))) {
		/* A word before "--" may be a branch. */
		unsigned i = 2;

		while (i < shell->command.words && !str_eq(shell->command.word[i], STR("--")))
			i++;
		report_operands(shell, i + 1, SIMPLE_COMMAND_WORDS);
	} else if (str_eq(verb, STR("restore"))) {
		report_restore(shell);
	} else if (str_eq(verb, STR("mv"))) {
		report_operands(shell, 2, 1);
	} else if (str_eq(verb, STR("rm")) && !shell_path_has_option(shell, "--cached")) {
		report_operands(shell, 2, 0);
	}
}

bool
tool_is_patch(struct str name)
{
	static const struct str names[] = {STR_INIT("apply_patch"), STR_INIT("applypatch")};

	name = str_behind_last(name, '/');
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (name.len == names[i].len && strncasecmp(name.ptr, names[i].ptr, name.len) == 0)
			return true;
	return false;
}

bool
tool_patch_next(struct str *text, struct str *path, enum tool_op *op)
{
	enum { DELETES = 2 };
	static const struct str heads[] = {STR_INIT("*** Update File: "),
	    STR_INIT("*** Add File: "), STR_INIT("*** Delete File: "), STR_INIT("*** Move to: ")};

	while (text->len > 0) {
		struct str line = str_take_line(text);

		for (size_t i = 0; i < ARRAY_COUNT(heads); i++) {
			if (!str_has_prefix(line, heads[i]))
				continue;
			*path = str_trim(str_of(line.ptr + heads[i].len, line.len - heads[i].len));
			if (op != NULL)
				*op = i == DELETES ? TOOL_DELETE : TOOL_EDIT;
			if (path->len > 0)
				return true;
		}
	}
	return false;
}

/* The files of commands that print them, which have no output elsewhere. */
static void
report_printed(struct shell_path *shell, struct str name)
{
	/* With the letters of options that are followed by a word. */
	static const struct {
		struct str name;
		const char *valued;
	} printers[] = {{STR_INIT("cat"), ""}, {STR_INIT("head"), "cn"}, {STR_INIT("tail"), "cns"},
	    {STR_INIT("nl"), "bdfhilnsvw"}};
	const struct simple_command *c = &shell->command;

	if (str_eq(name, STR("sed")))
		report_sed(shell, TOOL_READ);
	for (size_t i = 0; i < ARRAY_COUNT(printers); i++) {
		if (!str_eq(name, printers[i].name))
			continue;
		for (unsigned at = 1; at < c->words; at++) {
			struct str word = c->word[at];

			if (word.len > 1 && word.ptr[0] == '-')
				at += byte_is_in(word.ptr[word.len - 1], printers[i].valued);
			else
				shell_path_report(shell, word, TOOL_READ);
		}
	}
}

/* Finds the files that the simple command writes or prints. Returns whether it is apply_patch,
 * after which no shell command follows. */
static bool
report_command(struct shell_path *shell)
{
	const struct simple_command *c = &shell->command;
	struct str name = c->words > 0 ? c->word[0] : STR("");

	if (shell->finds_ends && str_eq(c->operator, STR("|"))) {
		shell->does_more = true;
		return false;
	}
	for (unsigned i = 0; i < c->outputs; i++)
		shell_path_report(shell, c->output[i], TOOL_EDIT);
	if (shell->finds_ends && shell_made_report(shell, name))
		return false;
	shell->does_more |= !shell_made_is_all(c);
	if (str_eq(name, STR("rm")))
		report_operands(shell, 1, 0);
	else if (str_eq(name, STR("mv")))
		report_operands(shell, 1, 1);
	else if (str_eq(name, STR("tee")) || str_eq(name, STR("truncate")))
		report_operands(shell, 1, SIMPLE_COMMAND_WORDS);
	else if (str_eq(name, STR("cp")) && c->words > 2)
		report_operands(shell, c->words - 1, 1);
	else if (str_eq(name, STR("cd")) || str_eq(name, STR("pushd")))
		shell_path_enter(shell,
		    c->words == 2                      ? shell_path_of(shell, c->word[1]) :
			c->words == 1 && name.len == 2 ? STR("~") :
							 STR(""));
	else if (str_eq(name, STR("popd")))
		shell_path_enter(shell, STR(""));
	else if (str_eq(name, STR("sed")) &&
	    (shell_path_has_option(shell, "-i") || shell_path_has_option(shell, "--in-pl")))
		report_sed(shell, TOOL_EDIT);
	else if (str_eq(name, STR("git")))
		report_git(shell);
	else if (!c->is_silent)
		report_printed(shell, name);
	return tool_is_patch(name) || str_eq(name, STR("***"));
}

static void
find_all(struct shell_path *shell, struct str command)
{
	struct simple_command_line commands = SIMPLE_COMMAND_LINE(command);
	bool is_patch = false;

	if (shell->finds_ends && !shell_made_is_chain(command))
		return;
	while (!is_patch && simple_command_next(&commands, &shell->command))
		is_patch = report_command(shell);
	if (is_patch) {
		enum tool_op op;
		struct str path;

		while (tool_patch_next(&command, &path, &op))
			if (!shell->is_lost || file_path_is_absolute(path))
				shell->found(shell->context, op,
				    file_path_below(shell->directory, path, shell->arena));
	}
}

void
tool_shell_files(struct str command, struct arena *arena,
    void (*found)(void *context, enum tool_op kind, struct str path), void *context)
{
	struct shell_path shell = {.arena = arena, .found = found, .context = context};

	find_all(&shell, command);
}

void
tool_shell_ends(struct str command, struct arena *arena,
    void (*found)(void *context, enum tool_op kind, struct str path), void *context)
{
	struct shell_path shell = {
	    .finds_ends = true, .arena = arena, .found = found, .context = context};

	find_all(&shell, command);
}

struct end {
	struct str path;
	bool is_one;
};

/* Whether the path is the other one or a directory above it. */
static bool
leads_to(struct str path, struct str other)
{
	return path.len == 0 ||
	    (str_has_prefix(other, path) &&
		(other.len == path.len || other.ptr[path.len] == '/' ||
		    path.ptr[path.len - 1] == '/'));
}

static void
add_end(void *context, enum tool_op kind, struct str path)
{
	struct end *end = context;

	if (kind != TOOL_EDIT)
		return;
	end->is_one &= leads_to(end->path, path);
	end->path = path;
}

bool
tool_shell_end(struct str command, struct arena *arena, struct str *path)
{
	struct end end = {STR(""), true};
	struct shell_path shell = {
	    .finds_ends = true, .arena = arena, .found = add_end, .context = &end};

	find_all(&shell, command);
	*path = end.path;
	return end.is_one && end.path.len > 0 && !shell.does_more;
}
