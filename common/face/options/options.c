#include "face/options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "face/fault_die.h"
#include "face/options/help.h"
#include "face/options/option_value.h"
#include "face/options/relations.h"
#include "face/options/suggest.h"
#include "face/options/words.h"
#include "stream/output.h"

const char *const bad_lines_choices[] = {"keep", "stop", "drop", NULL};
const char *const options_steering[] = {"join", "new", NULL};
const char *const options_forgotten[] = {"hide", "show", NULL};

void
options_fail(const char *format, ...)
{
	struct buf text = BUF_INIT;
	char message[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	buf_add_fmt(&text, "%s; try '%s --help'", message, diag_program());
	diag_die(STATUS_USAGE, "%.*s", (int)text.len, text.ptr);
}

/* The names of all options of the command, ended by NULL. */
struct option_names {
	const char *name[OPTIONS_MAX + 1];
	unsigned count;
};

static void
add_names(struct option_names *names, const struct option *options)
{
	for (; options->name != NULL && names->count < OPTIONS_MAX; options++)
		if (options->type != OPTION_HEADING)
			names->name[names->count++] = options->name;
	names->name[names->count] = NULL;
}

static _Noreturn void
fail_unknown(const struct command *command, const char *name)
{
	struct option_names names = {.count = 0};
	struct buf advice = BUF_INIT;

	add_names(&names, command->options);
	add_names(&names, words_builtin);
	suggest_name(&advice, command->name, names.name, name);
	options_fail("unknown option '--%s'%.*s", name, STR_ARG(buf_str(&advice)));
}

static _Noreturn void
fail_unknown_letter(const struct command *command, char letter)
{
	struct option_names names = {.count = 0};
	struct buf advice = BUF_INIT;

	add_names(&names, command->options);
	suggest_letter(&advice, command->name, names.name, letter);
	options_fail("unknown option '-%c'%.*s", letter, STR_ARG(buf_str(&advice)));
}

_Noreturn void
options_print(const struct buf *text, enum status status)
{
	struct fault fault = FAULT_INIT;
	struct output out;

	output_init(&out, STDOUT_FILENO, "standard output", &fault);
	output_add(&out, buf_str(text));
	output_close(&out);
	if (fault.text.len > 0)
		diag_warn("%.*s", STR_ARG(buf_str(&fault.text)));
	exit(fault_is_set(&fault) ? fault.status : status);
}

static _Noreturn void
print_help(const struct command *command, bool is_short)
{
	struct buf text = BUF_INIT;

	if (is_short)
		help_write_short(command, &text);
	else
		help_write(command, &text);
	options_print(&text, STATUS_OK);
}

static void
apply(const struct command *command, const struct word *word, void *values)
{
	const struct option *option = word->option;
	struct fault fault = FAULT_INIT;
	size_t row;

	if (option == &words_builtin[WORDS_HELP])
		print_help(command, word->len == 0);
	if (option == &words_builtin[WORDS_VERSION]) {
		struct buf text = BUF_INIT;

		buf_add_fmt(&text, "%s (ctx) %s\n", command->name, CTX_VERSION);
		options_print(&text, STATUS_OK);
	}
	row = (size_t)(option - command->options);
	((struct common_options *)values)->given[row / 64] |= UINT64_C(1) << row % 64;
	if (option_value_set(option, word->argument, values, &fault))
		return;
	if (fault.status != STATUS_USAGE)
		fault_die(&fault);
	options_fail("%.*s", STR_ARG(buf_str(&fault.text)));
}

/* "-i.bak": the suffix of --in-place is no argument of the letter. */
static void
check_optional(const struct command *command, const char *letter)
{
	for (const struct option *o = command->options; o->name != NULL; o++)
		if (o->letter != '\0' && o->letter == letter[-1] && o->type == OPTION_OPTIONAL)
			options_fail("'-%c' takes no value, type --%s=%s", o->letter, o->name,
			    letter + (*letter == '='));
}

/* Ends the program with a diagnostic about the word. */
static _Noreturn void
fail_word(const struct command *command, const struct word *word)
{
	struct buf name = BUF_INIT;

	if (word->kind == WORD_BAD_VALUE)
		options_fail("option '--%s' takes no value", word->option->name);
	if (word->kind == WORD_NO_VALUE && word->len > 0)
		options_fail(
		    "option '--%s' needs a value: %s", word->option->name, word->option->argument);
	if (word->kind == WORD_NO_VALUE)
		options_fail("option '-%c' needs a value: %s", *word->text, word->option->argument);
	if (word->len == 0) {
		check_optional(command, word->text);
		fail_unknown_letter(command, *word->text);
	}
	buf_add(&name, word->text, word->len);
	buf_add_char(&name, '\0');
	fail_unknown(command, name.ptr);
}

struct options_words
options_look(const struct command *command, int argc, char *const *argv)
{
	struct words words = {.command = command, .argv = argv, .argc = argc, .at = 1};
	struct options_words found = {.operands = 0};
	struct word word;

	while (words_next(&words, &word)) {
		found.operands += word.kind == WORD_OPERAND;
		found.is_wrong |= word.kind != WORD_OPERAND && word.kind != WORD_OPTION;
		if (word.option != NULL)
			found.flags |= word.option->flags;
	}
	return found;
}

/* Operands keep their order. */
int
options_parse(const struct command *command, int argc, char **argv, void *values)
{
	struct words words = {.command = command, .argv = argv, .argc = argc, .at = 1};
	struct word word;
	int kept = 0;
	char **operand = argv; /* filled from argv[argc - kept] at the end */
	struct buf wrong = BUF_INIT;

	diag_init(command->name);
	while (words_next(&words, &word)) {
		if (word.kind == WORD_OPERAND)
			operand[kept++] = (char *)word.text;
		else if (word.kind == WORD_OPTION)
			apply(command, &word, values);
		else
			fail_word(command, &word);
	}
	if (!relations_hold(command, values, &wrong))
		options_fail("%.*s", STR_ARG(buf_str(&wrong)));
	memmove(argv + argc - kept, operand, (size_t)kept * sizeof *argv);
	return argc - kept;
}

void
options_read(struct common_options *options, const char *path)
{
	if (!option_value_add(&options->reads, path))
		options_fail("more than %d files are read", OPTION_LIST_MAX);
}
