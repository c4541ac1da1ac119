/*
 * Finds, without a shell, the files that a shell command certainly writes. The line is cut into
 * words and operators, and each simple command is looked at by itself. Words that need expansion
 * ($, `, *, ?) or have a quote inside are passed over. The result tells which reads are stale: a
 * write that is missed costs room, one that is found wrongly costs a read.
 */
#include "data/tool/tools.h"

#include <strings.h>

enum { WORDS_MAX = 64 };

struct words {
	struct str word[WORDS_MAX];
	unsigned count;
	bool redirected; /* the next word is the target of > or >> */
	bool is_patch;   /* a command was apply_patch: what follows it is no shell */
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

/* The files of sed -i. Its first operand is the script, unless an option has given one. */
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

/* Finds all operands from the given word on; options are left out. */
static void
report_operands(struct words *words, unsigned first)
{
	for (unsigned i = first; i < words->count; i++)
		report(words, words->word[i]);
}

/* git checkout changes files behind "--" alone: what stands before may be a branch. */
static void
report_checkout(struct words *words)
{
	unsigned i = 2;

	while (i < words->count && !str_eq(words->word[i], STR("--")))
		i++;
	report_operands(words, i + 1);
}

/* git restore: the operands, without the tree that the files come from. */
static void
report_restore(struct words *words)
{
	for (unsigned i = 2; i < words->count; i++) {
		if (str_eq(words->word[i], STR("-s")) || str_eq(words->word[i], STR("--source")))
			i++;
		else
			report(words, words->word[i]);
	}
}

static void
report_git(struct words *words)
{
	struct str verb = words->count > 1 ? words->word[1] : STR("");

	if (str_eq(verb, STR("checkout")))
		report_checkout(words);
	else if (str_eq(verb, STR("restore")))
		report_restore(words);
	else if (str_eq(verb, STR("mv")) ||
	    (str_eq(verb, STR("rm")) && !has_option(words, "--cached")))
		report_operands(words, 2);
}

/* The files that a patch of apply_patch names, each in a line of its own. */
static void
report_patch(struct words *words, struct str text)
{
	struct str path;

	while (tool_patch_next(&text, &path))
		words->found(words->context, tool_normalize_path(path, words->arena));
}

bool
tool_is_patch(struct str name)
{
	static const struct str names[] = {STR_INIT("apply_patch"), STR_INIT("applypatch")};
	const char *slash = memrchr(name.ptr, '/', name.len);

	if (slash != NULL)
		name = str_of(slash + 1, (size_t)(name.ptr + name.len - slash - 1));
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (name.len == names[i].len && strncasecmp(name.ptr, names[i].ptr, name.len) == 0)
			return true;
	return false;
}

bool
tool_patch_next(struct str *text, struct str *path)
{
	static const struct str heads[] = {STR_INIT("*** Update File: "),
	    STR_INIT("*** Add File: "), STR_INIT("*** Delete File: "), STR_INIT("*** Move to: ")};

	while (text->len > 0) {
		struct str line = str_take_line(text);

		for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
			if (!str_has_prefix(line, heads[i]))
				continue;
			*path = str_trim(str_of(line.ptr + heads[i].len, line.len - heads[i].len));
			if (path->len > 0)
				return true;
		}
	}
	return false;
}

/* Called at the end of a simple command: finds what it writes, and empties the list of words. */
static void
end_command(struct words *words)
{
	struct str name = words->count > 0 ? words->word[0] : STR("");

	if (str_eq(name, STR("rm")) || str_eq(name, STR("mv")) || str_eq(name, STR("tee")) ||
	    str_eq(name, STR("truncate")))
		report_operands(words, 1);
	else if (str_eq(name, STR("cp")) && words->count > 2)
		report_operands(words, words->count - 1);
	else if (str_eq(name, STR("sed")) &&
	    (has_option(words, "-i") || has_option(words, "--in-pl")))
		report_sed(words);
	else if (str_eq(name, STR("git")))
		report_git(words);
	words->is_patch |= tool_is_patch(name) || str_eq(name, STR("***"));
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

/* The end of the quoted text that begins at ptr; the end of the command when the quote is not
 * closed. */
static const char *
skip_quoted(const char *ptr, const char *end)
{
	char quote = *ptr++;

	while (ptr < end && *ptr != quote)
		ptr += *ptr == '\\' && quote == '"' && ptr + 1 < end ? 2 : 1;
	return ptr < end ? ptr + 1 : end;
}

/* Takes the operator at ptr. Returns where the command goes on. */
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

	while (ptr < end && !words.is_patch && !(here_document && *ptr == '\n')) {
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
	if (words.is_patch)
		report_patch(&words, command);
}
