#include "face/options/words.h"

#include <string.h>

const struct option words_builtin[] = {
    [WORDS_HELP] = {"help", 'h', NULL, "print all options; -h prints the most used", OPTION_FLAG, 0,
	.flags = OPTION_OWN_PROCESS},
    [WORDS_VERSION] = {"version", 'V', NULL, "print the version", OPTION_FLAG, 0,
	.flags = OPTION_OWN_PROCESS},
    {.name = NULL},
};

bool
words_have(const char *const *names, const char *name)
{
	while (*names != NULL && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

const struct option *
words_find(const struct option *table, const char *name, size_t len)
{
	for (; table->name != NULL; table++)
		if (table->type != OPTION_HEADING && strlen(table->name) == len &&
		    memcmp(table->name, name, len) == 0)
			return table;
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

/* Sets the argument: the given one, the next word, or none. */
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
	word->option = words_find(words->command->options, name, len);
	if (word->option == NULL)
		word->option = words_find(words_builtin, name, len);
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
		option = find_letter(words_builtin, *words->letters);
	word->text = words->letters;
	word->option = option;
	takes_rest = option != NULL && option->argument != NULL && option->type != OPTION_OPTIONAL;
	words->letters = takes_rest || *rest == '\0' ? NULL : rest;
	if (option == NULL)
		word->kind = WORD_UNKNOWN;
	else
		take_argument(words, takes_rest && *rest != '\0' ? rest : NULL, word);
}

bool
words_next(struct words *words, struct word *word)
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
