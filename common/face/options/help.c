#include "face/options/help.h"

#include <limits.h>

#include "base/status.h"
#include "face/options/words.h"

/* The help of an option begins in a column, and no line is wider than a terminal. */
enum { COLUMN = 32, WIDTH = 80 };

/* So many choices does the short help name of an option that has more. */
enum { CHOICES_SHORT = 12 };

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

/* Writes "a (default), b, c or d"; of more than most, as many, and that there are others. */
static void
write_choices(struct buf *out, const char *const *choices, unsigned most)
{
	struct buf text = BUF_INIT;
	unsigned i;

	for (i = 0; i < most && choices[i] != NULL; i++)
		buf_add_fmt(&text, "%s%s%s",
		    i == 0                     ? "" :
			choices[i + 1] != NULL ? ", " :
						 " or ",
		    choices[i], i == 0 ? " (default)" : "");
	if (choices[i] != NULL)
		buf_add_str(&text, STR(" or others"));
	buf_add_char(&text, '\0');
	write_broken(out, text.ptr);
	buf_free(&text);
}

/* Writes "-s, --name=ARGUMENT", blanks up to a fixed column, and the help, with at most so many of
 * its choices. */
static void
write_option(struct buf *out, const struct option *option, unsigned choices)
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
		write_choices(out, option->choices, choices);
}

static void
write_examples(struct buf *out, const struct command *command)
{
	buf_add_str(out, STR("\nExamples:\n"));
	for (size_t i = 0; i < ARRAY_COUNT(command->examples); i++)
		buf_add_fmt(out, "  %s\n", command->examples[i]);
}

void
help_write(const struct command *command, struct buf *buf)
{
	buf_add_fmt(
	    buf, "usage: %s %s\n%s\n\n", command->name, command->synopsis, command->purpose);
	if (command->list != NULL)
		command->list(buf);
	for (const struct option *o = command->options; o->name != NULL; o++)
		if (o->type == OPTION_HEADING)
			buf_add_fmt(buf, "%s%s:\n", o > command->options ? "\n" : "", o->name);
		else
			write_option(buf, o, UINT_MAX);
	for (const struct option *o = words_builtin; o->name != NULL; o++)
		write_option(buf, o, UINT_MAX);
	buf_add_fmt(buf, "\nSee %s(1) and ctx(7).\n", command->name);
	write_examples(buf, command);
	buf_add_str(buf, STR("\nExit status:\n"));
	for (const unsigned char *s = command->statuses; s == command->statuses || *s != 0; s++)
		buf_add_fmt(buf, "  %-4d%s\n", *s, status_text((enum status) * s, command->no));
}

void
help_write_short(const struct command *command, struct buf *buf)
{
	const struct option *heading = NULL;

	buf_add_fmt(buf, "usage: %s %s\n%s\n", command->name, command->synopsis, command->purpose);
	write_examples(buf, command);
	buf_add_char(buf, '\n');
	for (const struct option *o = command->options; o->name != NULL; o++) {
		if (o->type == OPTION_HEADING)
			heading = o;
		if (o->type == OPTION_HEADING || command->essential == NULL ||
		    !words_have(command->essential, o->name))
			continue;
		if (heading != NULL)
			buf_add_fmt(buf, "%s:\n", heading->name);
		heading = NULL;
		write_option(buf, o, CHOICES_SHORT);
	}
	buf_add_fmt(buf, "'%s --help' prints all options, 'man %s' explains them.\n", command->name,
	    command->name);
}
