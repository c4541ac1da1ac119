#include "data/tool/shell_read.h"

#include "base/byte.h"
#include "data/message/texts.h"
#include "data/message/tool_output.h"
#include "data/tool/simple_command.h"

struct shown {
	struct str path;
	unsigned files;
	bool is_other; /* a file is written or removed */
};

static void
add_file(void *context, enum tool_op kind, struct str path)
{
	struct shown *shown = context;

	shown->path = path;
	shown->files++;
	shown->is_other |= kind != TOOL_READ;
}

/* Takes a number off the text; 0: it begins with none, or with one that no file has. */
static int64_t
take_number(struct str *text)
{
	enum { DIGITS = 9 };
	int64_t number = 0;
	size_t at = 0;

	for (; at < text->len && byte_is_digit(text->ptr[at]); at++)
		number = at < DIGITS ? number * 10 + (text->ptr[at] - '0') : 0;
	*text = str_rest(*text, at);
	return number;
}

/* Leaves of the lines those from first to last, counted from the first that is left. */
static bool
narrow(struct tool_use *use, int64_t first, int64_t last)
{
	int64_t before = use->first_line - 1;

	if (first <= 0 || last < first)
		return false;
	use->first_line = before + first;
	if (last != TOOL_LAST_LINE && before + last < use->last_line)
		use->last_line = before + last;
	return use->first_line <= use->last_line;
}

static bool
has_options(const struct simple_command *c, unsigned first)
{
	for (unsigned i = first; i < c->words; i++)
		if (c->word[i].len > 1 && c->word[i].ptr[0] == '-')
			return true;
	return false;
}

/* sed -n with one script of the form 40p, 40,95p or 40,$p. */
static bool
narrow_sed(struct tool_use *use, const struct simple_command *c)
{
	struct str script = c->words > 2 ? c->word[2] : STR("");
	int64_t first = take_number(&script), last = first;

	if (c->words < 3 || !str_eq(c->word[1], STR("-n")) || has_options(c, 3))
		return false;
	if (str_has_prefix(script, STR(",$"))) {
		script = str_rest(script, 2);
		last = TOOL_LAST_LINE;
	} else if (str_has_prefix(script, STR(","))) {
		script = str_rest(script, 1);
		last = take_number(&script);
	}
	return str_eq(script, STR("p")) && narrow(use, first, last);
}

/* head -n 40, -40 or alone, and tail -n +40: the number is in an option or after it. */
static bool
narrow_end(struct tool_use *use, const struct simple_command *c, bool is_tail)
{
	struct str count = is_tail ? STR("") : STR("10");
	int64_t number;
	unsigned i;

	for (i = 1; i < c->words && c->word[i].len > 1 && c->word[i].ptr[0] == '-'; i++) {
		struct str option = str_rest(c->word[i], 1);

		if (str_eq(option, STR("n")) && i + 1 < c->words)
			count = c->word[++i];
		else if (option.ptr[0] == 'n' || byte_is_digit(option.ptr[0]))
			count = str_rest(option, option.ptr[0] == 'n');
		else
			return false;
	}
	if (str_has_prefix(count, STR("+")) != is_tail || has_options(c, i))
		return false;
	count = str_rest(count, is_tail);
	number = take_number(&count);
	return count.len == 0 &&
	    (is_tail ? narrow(use, number, TOOL_LAST_LINE) : narrow(use, 1, number));
}

static bool
narrow_by(struct tool_use *use, const struct simple_command *c)
{
	struct str name = c->words > 0 ? c->word[0] : STR("");

	if (str_eq(name, STR("sed")))
		return narrow_sed(use, c);
	if (str_eq(name, STR("head")) || str_eq(name, STR("tail")))
		return narrow_end(use, c, str_eq(name, STR("tail")));
	return str_eq(name, STR("cat")) || str_eq(name, STR("nl"));
}

bool
shell_read_find(struct str command, struct arena *arena, struct tool_use *use)
{
	struct simple_command_line commands = SIMPLE_COMMAND_LINE(command);
	struct shown shown = {.files = 0};
	struct simple_command c;
	bool is_piped = false, is_read = false;

	*use = (struct tool_use){.op = TOOL_READ, .first_line = 1, .last_line = TOOL_LAST_LINE};
	while (simple_command_next(&commands, &c)) {
		bool enters = !is_read && c.words > 0 && str_eq(c.word[0], STR("cd"));

		if (is_read && !is_piped)
			return false;
		is_piped = str_eq(c.operator, STR("|"));
		if (enters ? is_piped : c.is_silent || !narrow_by(use, &c))
			return false;
		is_read |= !enters;
	}
	if (!is_read || is_piped)
		return false;
	tool_shell_files(command, arena, add_file, &shown);
	use->target = shown.path;
	return shown.files == 1 && !shown.is_other;
}

bool
shell_read_failed(const struct message *message)
{
	static const struct str names[] = {STR_INIT("cat: "), STR_INIT("head: "),
	    STR_INIT("tail: "), STR_INIT("nl: "), STR_INIT("sed: "), STR_INIT("bash: "),
	    STR_INIT("sh: "), STR_INIT("/bin/sh: "), STR_INIT("/bin/bash: "), STR_INIT("zsh: ")};
	struct buf text = BUF_INIT, output = BUF_INIT;
	bool is;

	message_read_text(message, &text);
	if (!tool_output_read(buf_str(&text), &output))
		buf_add_str(&output, buf_str(&text));
	is = STR_HAS_ANY_PREFIX(str_trim(buf_str(&output)), names);
	buf_free(&text);
	buf_free(&output);
	return is;
}
