#include "data/tool/shell_made.h"

/* The path of a directory or file with "/" added: only its existence is known. */
static void
report_there(struct shell_path *shell, struct str word)
{
	struct buf path = BUF_INIT;
	struct str found;

	if (!shell_path_find(shell, word, &found))
		return;
	buf_add_str(&path, found);
	buf_add_char(&path, '/');
	shell->found(shell->context, TOOL_EDIT, arena_copy(shell->arena, buf_str(&path)));
	buf_free(&path);
}

/* Whether a copy to the target is a file of that name, and not a file in a directory of that name:
 * "a.c" of "b.c", and "a.json" of "a.json.old". */
static bool
is_file_of(struct str target, struct str source)
{
	target = str_behind_last(target, '/');
	source = str_behind_last(source, '/');
	return memchr(target.ptr, '.', target.len) != NULL && !str_eq(target, STR(".")) &&
	    !str_eq(target, STR("..")) &&
	    (str_has_prefix(source, target) ||
		(memchr(source.ptr, '.', source.len) != NULL &&
		    str_eq(str_behind_last(target, '.'), str_behind_last(source, '.'))));
}

/* Reports the files that a copy, move or link without options for the target leaves. */
static void
report_copies(struct shell_path *shell)
{
	const struct simple_command *c = &shell->command;
	struct str target = c->word[c->words - 1];

	if (c->words == SIMPLE_COMMAND_WORDS || shell_path_has_option(shell, "-t") ||
	    shell_path_has_option(shell, "--t") || shell_path_has_option(shell, "-d"))
		return;
	for (unsigned i = 1; i + 1 < c->words; i++) {
		struct buf path = BUF_INIT;

		if (str_has_prefix(c->word[i], STR("-")))
			continue;
		if (is_file_of(target, c->word[i])) {
			shell_path_report(shell, target, TOOL_EDIT);
			continue;
		}
		buf_add_str(&path, target);
		buf_add_char(&path, '/');
		buf_add_str(&path, str_behind_last(c->word[i], '/'));
		if (shell_path_is_plain(buf_str(&path)))
			shell_path_report(
			    shell, arena_copy(shell->arena, buf_str(&path)), TOOL_EDIT);
		buf_free(&path);
	}
}

bool
shell_made_report(struct shell_path *shell, struct str name)
{
	static const struct str copying[] = {
	    STR_INIT("cp"), STR_INIT("mv"), STR_INIT("ln"), STR_INIT("install")};
	const struct simple_command *c = &shell->command;

	if (str_eq(name, STR("mkdir")) || str_eq(name, STR("touch"))) {
		for (unsigned i = 1; i < c->words; i++)
			report_there(shell, c->word[i]);
		return true;
	}
	if (!STR_IS_ONE_OF(name, copying) || c->words < 3)
		return false;
	report_copies(shell);
	return true;
}

bool
shell_made_is_all(const struct simple_command *c)
{
	static const struct str names[] = {STR_INIT("cd"), STR_INIT("echo"), STR_INIT("printf"),
	    STR_INIT("tee"), STR_INIT("true")};
	struct str name = c->words > 0 ? c->word[0] : STR("");

	if (str_eq(name, STR("cat")))
		return c->words == 1;
	return STR_IS_ONE_OF(name, names);
}

bool
shell_made_is_chain(struct str command)
{
	struct simple_command_line commands = SIMPLE_COMMAND_LINE(command);
	struct simple_command c;
	bool is_open = true;

	while (simple_command_next(&commands, &c)) {
		bool is_patch = c.words > 0 && c.document.len == 0 &&
		    (tool_is_patch(c.word[0]) || str_eq(c.word[0], STR("***")));

		/* The end of the last command hides nothing, unless more follows. */
		if (!is_open || is_patch)
			return is_open;
		if (str_eq(c.operator, STR("&")))
			return false;
		is_open = str_eq(c.operator, STR("&&")) || str_eq(c.operator, STR("|"));
	}
	return true;
}
