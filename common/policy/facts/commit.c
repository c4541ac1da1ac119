#include "policy/facts/commit.h"

#include "data/tool/simple_command.h"

/* The first line that is not blank. */
static struct str
first_line(struct str text)
{
	struct str line = STR("");

	while (text.len > 0 && line.len == 0)
		line = str_trim(str_take_line(&text));
	return line;
}

/* The subject in the value of -m, which may be a here-document of cat. */
static struct str
subject_of(struct str message)
{
	if (str_has_prefix(message, STR("$(cat <<")))
		str_take_line(&message);
	return first_line(message);
}

/* The operands of git commit; 0: it is another command. */
static unsigned
commit_operands(const struct simple_command *command)
{
	unsigned at = 1;

	if (command->words == 0 || !str_eq(command->word[0], STR("git")))
		return 0;
	while (at < command->words && str_has_prefix(command->word[at], STR("-")))
		at += str_eq(command->word[at], STR("-C")) || str_eq(command->word[at], STR("-c")) ?
		    2 :
		    1;
	return at < command->words && str_eq(command->word[at], STR("commit")) ? at + 1 : 0;
}

static struct str
find_subject(const struct simple_command *command, unsigned at)
{
	static const struct str joined[] = {STR_INIT("--message="), STR_INIT("-m")};

	for (; at < command->words; at++) {
		struct str word = command->word[at];
		bool is_short = word.len > 1 && word.ptr[0] == '-' && word.ptr[1] != '-';

		if (str_eq(word, STR("--message")) || (is_short && word.ptr[word.len - 1] == 'm'))
			return at + 1 < command->words ? subject_of(command->word[at + 1]) :
							 STR("");
		for (size_t i = 0; i < ARRAY_COUNT(joined); i++)
			if (str_has_prefix(word, joined[i])) {
				word = str_rest(word, joined[i].len);
				while (word.len > 0 && memchr("'\"", word.ptr[0], 2) != NULL)
					word = str_of(word.ptr + 1, word.len - 1 - (word.len > 1));
				return subject_of(word);
			}
	}
	return first_line(command->document);
}

struct str
commit_subject(struct str command)
{
	struct simple_command_line commands = SIMPLE_COMMAND_LINE(command);
	struct simple_command simple;
	struct str subject = STR("");

	while (simple_command_next(&commands, &simple)) {
		unsigned at = commit_operands(&simple);

		if (at > 0)
			subject = find_subject(&simple, at);
	}
	return subject;
}
