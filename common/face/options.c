#include "face/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "data/own_tools.h"
#include "face/suggest.h"
#include "face/fault_die.h"
#include "stream/output.h"

const char *const bad_lines_choices[] = {"keep", "stop", "drop", NULL};
const char *const options_steering[] = {"join", "new", NULL};

static const struct option builtin[] = {
    {"help", 'h', NULL, "print this help", OPTION_FLAG, 0, .flags = OPTION_OWN_PROCESS},
    {"version", 'V', NULL, "print the version", OPTION_FLAG, 0, .flags = OPTION_OWN_PROCESS},
    OPTIONS_END,
};

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

enum { NAMES_MAX = 128 };

/* The names of all options of the command, ended by NULL. */
struct option_names {
	const char *name[NAMES_MAX + 1];
	unsigned count;
};

static void
add_names(struct option_names *names, const struct option *options)
{
	for (; options->name != NULL && names->count < NAMES_MAX; options++)
		names->name[names->count++] = options->name;
	names->name[names->count] = NULL;
}

static _Noreturn void
fail_unknown(const struct command *command, const char *name)
{
	struct option_names names = {.count = 0};
	struct buf advice = BUF_INIT;

	add_names(&names, command->options);
	add_names(&names, builtin);
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

/* --help: the help of an option begins in a column, and no line is wider than a terminal. */
enum { COLUMN = 32, WIDTH = 80 };

/* Appends text, from the column on where the line is, in lines that are broken between words. */
static void
write_broken(struct buf *out, const char *text)
{
	size_t column = COLUMN;

	for (const char *word = text; *word != '\0';) {
		size_t len = strcspn(word, " ");

		if (column > COLUMN && column + 1 + len > WIDTH) {
			buf_add_fmt(out, "\n%*s", COLUMN, "");
			column = COLUMN;
		} else if (column > COLUMN) {
			buf_add_char(out, ' ');
			column++;
		}
		buf_add(out, word, len);
		column += len;
		word += len + strspn(word + len, " ");
	}
	buf_add_char(out, '\n');
}

/* Writes "a (default), b, c or d". */
static void
write_choices(struct buf *out, const char *const *choices)
{
	struct buf text = BUF_INIT;

	for (unsigned i = 0; choices[i] != NULL; i++)
		buf_add_fmt(&text, "%s%s%s",
		    i == 0                     ? "" :
			choices[i + 1] != NULL ? ", " :
						 " or ",
		    choices[i], i == 0 ? " (default)" : "");
	buf_add_char(&text, '\0');
	write_broken(out, text.ptr);
	buf_free(&text);
}

/* Writes "-s, --name=ARGUMENT", blanks up to a fixed column, and the help. */
static void
write_option(struct buf *out, const struct option *option)
{
	size_t start = out->len;

	if (option->letter != 0)
		buf_add_fmt(out, "  -%c, --%s", option->letter, option->name);
	else
		buf_add_fmt(out, "      --%s", option->name);
	if (option->type == OPTION_OPTIONAL)
		buf_add_fmt(out, "[=%s]", option->argument);
	else if (option->argument != NULL)
		buf_add_fmt(out, "=%s", option->argument);
	if (out->len - start > COLUMN - 2) {
		buf_add_char(out, '\n');
		start = out->len;
	}
	buf_add_fmt(out, "%*s", (int)(COLUMN - (out->len - start)), "");
	if (option->help != NULL)
		write_broken(out, option->help);
	else
		write_choices(out, option->choices);
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

static void
write_examples(struct buf *out, const struct command *command)
{
	buf_add_str(out, STR("\nExamples:\n"));
	for (size_t i = 0; i < sizeof command->examples / sizeof command->examples[0]; i++)
		buf_add_fmt(out, "  %s\n", command->examples[i]);
}

static void
write_statuses(struct buf *out, const struct command *command)
{
	buf_add_str(out, STR("\nExit status:\n"));
	for (const unsigned char *s = command->statuses; s == command->statuses || *s != 0; s++)
		buf_add_fmt(out, "  %-4d%s\n", *s, status_text((enum status) * s, command->no));
}

static _Noreturn void
print_help(const struct command *command)
{
	struct buf text = BUF_INIT;

	buf_add_fmt(
	    &text, "usage: %s %s\n%s\n\n", command->name, command->synopsis, command->purpose);
	for (const struct option *o = command->options; o->name != NULL; o++)
		write_option(&text, o);
	for (const struct option *o = builtin; o->name != NULL; o++)
		write_option(&text, o);
	buf_add_fmt(&text, "\nSee %s(1) and ctx(7).\n", command->name);
	write_examples(&text, command);
	write_statuses(&text, command);
	options_print(&text, STATUS_OK);
}

static _Noreturn void
print_version(const struct command *command)
{
	struct buf text = BUF_INIT;

	buf_add_fmt(&text, "%s (ctx) %s\n", command->name, CTX_VERSION);
	options_print(&text, STATUS_OK);
}

static void
set_choice(const struct option *option, const char *argument, int *value)
{
	struct buf list = BUF_INIT;

	for (int i = 0; option->choices[i] != NULL; i++) {
		if (strcmp(option->choices[i], argument) == 0) {
			*value = i;
			buf_free(&list);
			return;
		}
		buf_add_fmt(&list, "%s%s", i > 0 ? ", " : "", option->choices[i]);
	}
	options_fail("bad value '%s' of --%s, expected one of %.*s", argument, option->name,
	    (int)list.len, list.ptr);
}

static void
set_list(const struct option *option, const char *argument, struct option_list *list)
{
	if (list->count == OPTION_LIST_MAX)
		options_fail("more than %d times --%s", OPTION_LIST_MAX, option->name);
	list->item[list->count++] = argument;
}

static void
set_size(const struct option *option, const char *argument, struct size *size)
{
	const char *expected = "a size such as 12k";
	bool is_right = size_parse(argument, size);

	if (option->type == OPTION_TURNS) {
		is_right = is_right && size->unit == SIZE_TURNS;
		expected = "turns such as 1turn";
	} else if (option->type == OPTION_MOST) {
		is_right = is_right && size->unit != SIZE_PERCENT && size->unit != SIZE_LESS;
		expected = "a size such as 4k, 20msgs or 8turns";
	}
	if (!is_right)
		options_fail(
		    "bad value '%s' of --%s, expected %s", argument, option->name, expected);
}

/* "20" is the habit of tail, and 20 tokens are hardly a message. */
static void
set_last(const struct option *option, const char *argument, struct size *size)
{
	enum { TOKENS_MIN = 1000 };
	bool is_bare = argument[strspn(argument, "0123456789")] == '\0';

	if (size_parse_share(argument, size))
		return;
	if (!size_parse(argument, size) || size->unit == SIZE_PERCENT || size->unit == SIZE_LESS)
		options_fail("bad value '%s' of --%s, expected a size such as 20msgs, 8turns or 4k",
		    argument, option->name);
	if (is_bare && size->value > 0 && size->value < TOKENS_MIN)
		options_fail("bad value '%s' of --%s, expected %smsgs, %sturns or, in tokens, %sk",
		    argument, option->name, argument, argument, argument);
}

static void
set_messages(const struct option *option, const char *argument, struct size *size)
{
	size->unit = SIZE_MESSAGES;
	if (!number_parse(argument, &size->value))
		options_fail(
		    "bad value '%s' of --%s, expected a number such as 20", argument, option->name);
}

static void
set_sequence(const struct option *option, const char *argument, struct option_sequence *sequence)
{
	if (sequence->count == OPTION_SEQUENCE_MAX)
		options_fail(
		    "too many times --%s, %d are the most", option->name, OPTION_SEQUENCE_MAX);
	sequence->item[sequence->count].option = option;
	sequence->item[sequence->count++].argument = argument;
}

void
options_read(struct common_options *options, const char *path)
{
	struct option_list *reads = &options->reads;

	if (reads->count == OPTION_LIST_MAX)
		options_fail("more than %d files are read", OPTION_LIST_MAX);
	reads->item[reads->count++] = path;
}

/* The tools are not in the command's struct: the whole program knows them. */
static void
set_tool(const struct option *option, const char *argument, struct common_options *values)
{
	struct fault fault = FAULT_INIT;
	struct buf message = BUF_INIT;

	if (argument[0] == '@') {
		options_read(values, argument + 1);
		if (!own_tools_read(argument + 1, &fault))
			fault_die(&fault);
	} else if (!own_tools_add(str_from(argument), &message)) {
		options_fail("bad value '%s' of --%s, %.*s", argument, option->name,
		    STR_ARG(buf_str(&message)));
	}
}

static void
set_value(const struct option *option, const char *argument, void *values)
{
	char *member = (char *)values + option->offset;

	if (option->given != 0)
		*((bool *)((char *)values + option->given)) = true;
	switch (option->type) {
	case OPTION_FLAG:
		*(bool *)member = true;
		break;
	case OPTION_FILE:
		options_read(values, argument);
		*(const char **)member = argument;
		break;
	case OPTION_STRING:
	case OPTION_OPTIONAL:
		*(const char **)member = argument;
		break;
	case OPTION_COUNT:
		if (!number_parse(argument, (uint64_t *)member))
			options_fail("bad value '%s' of --%s, expected a number such as 200 or 12k",
			    argument, option->name);
		break;
	case OPTION_SIZE:
	case OPTION_TURNS:
	case OPTION_MOST:
		set_size(option, argument, (struct size *)member);
		break;
	case OPTION_LAST:
		set_last(option, argument, (struct size *)member);
		break;
	case OPTION_MESSAGES:
		set_messages(option, argument, (struct size *)member);
		break;
	case OPTION_LENGTH:
		if (!size_parse_length(argument, (struct size *)member) ||
		    ((struct size *)member)->unit == SIZE_CHARACTERS)
			options_fail("bad value '%s' of --%s, expected bytes or tokens, such as 2k "
				     "or 500tok",
			    argument, option->name);
		break;
	case OPTION_CHOICE:
		set_choice(option, argument, (int *)member);
		break;
	case OPTION_LIST:
		set_list(option, argument, (struct option_list *)member);
		break;
	case OPTION_SEQUENCE:
		set_sequence(option, argument, (struct option_sequence *)member);
		break;
	case OPTION_TOOL:
		set_tool(option, argument, values);
		break;
	}
}

static const struct option *
find_name(const struct option *options, const char *name, size_t len)
{
	for (; options->name != NULL; options++)
		if (strlen(options->name) == len && memcmp(options->name, name, len) == 0)
			return options;
	return NULL;
}

static const struct option *
find_letter(const struct option *options, char letter)
{
	for (; options->name != NULL; options++)
		if (options->letter == letter)
			return options;
	return NULL;
}

static void
apply(
    const struct command *command, const struct option *option, const char *argument, void *values)
{
	size_t row;

	if (option == &builtin[0])
		print_help(command);
	if (option == &builtin[1])
		print_version(command);
	row = (size_t)(option - command->options);
	((struct common_options *)values)->given[row / 64] |= UINT64_C(1) << row % 64;
	set_value(option, argument, values);
}

/* The words of a command line, one option or operand after another. Options may stand behind
 * operands, as with GNU commands, up to "--". */
struct words {
	const struct command *command;
	char *const *argv;
	int argc, at;
	const char *letters; /* those left of a word such as -vw8k, or NULL */
	bool is_behind;      /* "--" */
};

struct word {
	enum { WORD_OPERAND, WORD_OPTION, WORD_UNKNOWN, WORD_NO_VALUE, WORD_BAD_VALUE } kind;
	const char *text; /* the operand; or the name or letter of the option, as it stands there */
	size_t len;       /* of that name; 0: it is a letter */
	const struct option *option;
	const char *argument; /* of it; "" where it has none */
};

/* Sets the argument: what is given, the next word, or none. */
static void
take_argument(struct words *words, const char *given, struct word *word)
{
	const struct option *option = word->option;
	bool takes_none = option->argument == NULL;

	word->argument = given != NULL ? given : "";
	if (takes_none && given != NULL) {
		word->kind = WORD_BAD_VALUE;
	} else if (!takes_none && given == NULL && option->type != OPTION_OPTIONAL) {
		if (words->at == words->argc)
			word->kind = WORD_NO_VALUE;
		else
			word->argument = words->argv[words->at++];
	}
}

/* "--name", "--name=VALUE" or "--name VALUE". */
static void
take_long(struct words *words, const char *name, struct word *word)
{
	size_t len = strcspn(name, "=");

	word->text = name;
	word->len = len;
	word->option = find_name(words->command->options, name, len);
	if (word->option == NULL)
		word->option = find_name(builtin, name, len);
	if (word->option == NULL)
		word->kind = WORD_UNKNOWN;
	else
		take_argument(words, name[len] == '=' ? name + len + 1 : NULL, word);
}

/* The next of a word of option letters. */
static void
take_letter(struct words *words, struct word *word)
{
	const char *rest = words->letters + 1;
	const struct option *option = find_letter(words->command->options, *words->letters);
	bool takes_rest;

	if (option == NULL)
		option = find_letter(builtin, *words->letters);
	word->text = words->letters;
	word->option = option;
	takes_rest = option != NULL && option->argument != NULL && option->type != OPTION_OPTIONAL;
	words->letters = takes_rest || *rest == '\0' ? NULL : rest;
	if (option == NULL)
		word->kind = WORD_UNKNOWN;
	else
		take_argument(words, takes_rest && *rest != '\0' ? rest : NULL, word);
}

/* Takes the next word. Returns false when there is none. */
static bool
next_word(struct words *words, struct word *word)
{
	const char *text;

	*word = (struct word){.kind = WORD_OPTION};
	if (words->letters == NULL) {
		if (words->at < words->argc && !words->is_behind &&
		    strcmp(words->argv[words->at], "--") == 0) {
			words->is_behind = true;
			words->at++;
		}
		if (words->at >= words->argc)
			return false;
		text = words->argv[words->at++];
		if (words->is_behind || text[0] != '-' || text[1] == '\0') {
			*word = (struct word){.kind = WORD_OPERAND, .text = text};
			return true;
		}
		if (text[1] == '-') {
			take_long(words, text + 2, word);
			return true;
		}
		words->letters = text + 1;
	}
	take_letter(words, word);
	return true;
}

/* Ends the program with what is wrong with the word. */
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
	if (word->len == 0)
		fail_unknown_letter(command, *word->text);
	buf_add(&name, word->text, word->len);
	buf_add_char(&name, '\0');
	fail_unknown(command, name.ptr);
}

static bool
is_among(const char *name, const char *const *names)
{
	for (; *names != NULL; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

void
options_check_only(const struct command *command, const struct common_options *given,
    const char *what, const char *const *names)
{
	const struct option *options = command->options;

	for (size_t row = 0; options[row].name != NULL; row++)
		if ((given->given[row / 64] >> row % 64 & 1) != 0 &&
		    !is_among(options[row].name, names))
			options_fail("%s goes without --%s", what, options[row].name);
}

struct options_words
options_look(const struct command *command, int argc, char *const *argv)
{
	struct words words = {.command = command, .argv = argv, .argc = argc, .at = 1};
	struct options_words found = {.operands = 0};
	struct word word;

	while (next_word(&words, &word)) {
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

	diag_init(command->name);
	while (next_word(&words, &word)) {
		if (word.kind == WORD_OPERAND)
			operand[kept++] = (char *)word.text;
		else if (word.kind == WORD_OPTION)
			apply(command, word.option, word.argument, values);
		else
			fail_word(command, &word);
	}
	memmove(argv + argc - kept, operand, (size_t)kept * sizeof *argv);
	return argc - kept;
}
