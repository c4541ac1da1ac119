/*
 * What a shell command certainly writes, found without a shell: the line is cut into words and
 * operators, each simple command is looked at by itself, and whatever needs expansion ($, `, *, ?) or
 * has a quote inside is not told. Meant for stale reads, where a missed write costs room and a false
 * one costs a read.
 */
#include "data/tools.h"

enum { WORDS_MAX = 64 };

struct words {
	struct str word[WORDS_MAX];
	unsigned count;
	bool redirected; /* the next word is the target of > or >> */
	struct arena *arena;
	void (*found)(void *context, struct str path);
	void *context;
};

static void
report(struct words *words, struct str path)
{
	static const char expanded[] = "$`*?[{~&|;<>()'\"\\";

	for (size_t i = 0; i < path.len; i++)
		if (strchr(expanded, path.ptr[i]) != NULL)
			return;
	if (path.len > 0 && path.ptr[0] != '-' && !str_has_prefix(path, STR("/dev/")))
		words->found(words->context, tool_normalize_path(path, words->arena));
}

static bool
has_option(const struct words *words, const char *prefix)
{
	for (unsigned i = 1; i < words->count; i++)
		if (str_has_prefix(words->word[i], str_from(prefix)))
			return true;
	return false;
}

/* sed -i: its first operand is the script, unless an option gave one. */
static void
report_sed(struct words *words)
{
	bool has_script = has_option(words, "-e") || has_option(words, "-f");

	for (unsigned i = 1; i < words->count; i++) {
		struct str word = words->word[i];

		if (str_eq(word, STR("-e")) || str_eq(word, STR("-f")))
			i++;
		else if (!str_has_prefix(word, STR("-")) && !has_script)
			has_script = true;
		else
			report(words, word);
	}
}

/* The operands from the given word on, options left out. */
static void
report_operands(struct words *words, unsigned first)
{
	for (unsigned i = first; i < words->count; i++)
		report(words, words->word[i]);
}

/* A simple command is complete: looks at what it does, and empties the list. */
static void
end_command(struct words *words)
{
	struct str name = words->count > 0 ? words->word[0] : STR("");
	struct str verb = words->count > 1 ? words->word[1] : STR("");

	if (str_eq(name, STR("rm")) || str_eq(name, STR("mv")) || str_eq(name, STR("tee")) ||
	    str_eq(name, STR("truncate")))
		report_operands(words, 1);
	else if (str_eq(name, STR("cp")) && words->count > 2)
		report_operands(words, words->count - 1);
	else if (str_eq(name, STR("sed")) && (has_option(words, "-i") || has_option(words, "--in-pl")))
		report_sed(words);
	else if (str_eq(name, STR("git")) &&
	    (str_eq(verb, STR("checkout")) || str_eq(verb, STR("restore"))))
		report_operands(words, 2);
	words->count = 0;
	words->redirected = false;
}

static void
end_word(struct words *words, const char *start, const char *end, bool *in_word)
{
	struct str word = str_of(start, (size_t)(end - start));

	if (!*in_word)
		return;
	*in_word = false;
	if (word.len >= 2 && (word.ptr[0] == '\'' || word.ptr[0] == '"') &&
	    word.ptr[word.len - 1] == word.ptr[0])
		word = str_of(word.ptr + 1, word.len - 2);
	if (words->redirected)
		report(words, word);
	else if (words->count < WORDS_MAX)
		words->word[words->count++] = word;
	words->redirected = false;
}

/* The end of a quoted stretch that begins at ptr, or of the text. */
static const char *
skip_quoted(const char *ptr, const char *end)
{
	char quote = *ptr++;

	while (ptr < end && *ptr != quote)
		ptr += *ptr == '\\' && quote == '"' && ptr + 1 < end ? 2 : 1;
	return ptr < end ? ptr + 1 : end;
}

/* Handles an operator character at ptr; returns where to go on. */
static const char *
take_operator(struct words *words, const char *ptr, const char *end)
{
	if (*ptr == '>') {
		while (ptr < end && *ptr == '>')
			ptr++;
		words->redirected = ptr == end || *ptr != '&';
		return ptr;
	}
	if (*ptr != ' ' && *ptr != '\t')
		end_command(words);
	return ptr + 1;
}

void
tool_shell_writes(struct str command, struct arena *arena,
    void (*found)(void *context, struct str path), void *context)
{
	struct words words = {.arena = arena, .found = found, .context = context};
	const char *ptr = command.ptr, *end = command.ptr + command.len;
	const char *start = ptr;
	bool in_word = false, here_document = false;

	while (ptr < end && !(here_document && *ptr == '\n')) {
		here_document |= *ptr == '<' && ptr + 1 < end && ptr[1] == '<';
		if (strchr(" \t\n;|&>", *ptr) != NULL && *ptr != '\0') {
			end_word(&words, start, ptr, &in_word);
			ptr = take_operator(&words, ptr, end);
			continue;
		}
		if (!in_word)
			start = ptr;
		in_word = true;
		ptr = *ptr == '\'' || *ptr == '"' ? skip_quoted(ptr, end) : ptr + 1;
	}
	end_word(&words, start, ptr, &in_word);
	end_command(&words);
}
