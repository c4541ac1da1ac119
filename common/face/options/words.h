#ifndef OPTIONS_WORDS_H
#define OPTIONS_WORDS_H

#include "face/command.h"

/* -h, --help and --version, which every command has. */
extern const struct option words_builtin[];
enum { WORDS_HELP, WORDS_VERSION };

/* The words of a command line, one option or operand after another. Options may follow operands, as
 * with GNU commands, up to "--". */
struct words {
	const struct command *command;
	char *const *argv;
	int argc, at;
	const char *letters; /* those left of a word such as -vw8k, or NULL */
	bool is_behind;      /* "--" */
};

struct word {
	enum { WORD_OPERAND, WORD_OPTION, WORD_UNKNOWN, WORD_NO_VALUE, WORD_BAD_VALUE } kind;
	const char *text; /* the operand; or the name or letter of the option, as it was typed */
	size_t len;       /* of that name; 0: text is a letter */
	const struct option *option;
	const char *argument; /* of the option; "" if it has none */
};

/* Takes the next word, from words->at on, which is 1 before the first. Returns false when there is
 * none. */
bool words_next(struct words *words, struct word *word);

/* Whether the name is one of a list ended by NULL. */
bool words_have(const char *const *names, const char *name);

/* The row of the table with that name, or NULL. */
const struct option *words_find(const struct option *table, const char *name, size_t len);

#endif
