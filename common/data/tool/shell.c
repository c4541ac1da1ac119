/*
 * Finds, without a shell, the files that a shell command certainly writes. The line is cut into
 * words and operators, and each simple command is looked at by itself. Words that need expansion
 * ($, `, *, ?) or have a quote inside are passed over, and so are comments, inputs and
 * here-documents. The result tells which reads are stale: a write that is missed costs room, one
 * that is found wrongly costs a read.
 */
#include "base/text/file_path.h"
#include "data/tool/tools.h"

#include <strings.h>

enum { WORDS_MAX = 64 };

/* What the operator in front of a word makes of it. */
enum after { AFTER_NOTHING, AFTER_OUTPUT, AFTER_INPUT, AFTER_HERE };

struct words {
	struct str word[WORDS_MAX];
	unsigned count;
	enum after after;     /* what the next word is */
	struct str delimiter; /* of the here-document that begins in the next line; "": none */
	struct str directory; /* of cd; "": that of the session */
	bool is_patch;        /* a command was apply_patch: what follows it is no shell */
	struct arena *arena;
	void (*found)(void *context, enum tool_op kind, struct str path);
	void *context;
};

/* Whether the word is the path that it shows, and no option. */
static bool
is_plain(struct str word)
{
	static const char expanded[] = "$`*?[{~&|;<>()'\"\\";

	for (size_t i = 0; i < word.len; i++)
		if (strchr(expanded, word.ptr[i]) != NULL)
			return false;
	return word.len > 0 && word.ptr[0] != '-';
}

/* The path as it is from the directory of the session. */
static struct str
from_session(const struct words *words, struct str path)
{
	struct str directory = words->directory;
	char *joined;

	if (directory.len == 0 || path.ptr[0] == '/')
		return file_path_normalize(path, words->arena);
	joined = arena_alloc(words->arena, directory.len + 1 + path.len);
	memcpy(joined, directory.ptr, directory.len);
	joined[directory.len] = '/';
	memcpy(joined + directory.len + 1, path.ptr, path.len);
	return file_path_normalize(str_of(joined, directory.len + 1 + path.len), words->arena);
}

static void
report(struct words *words, struct str path, enum tool_op kind)
{
	if (is_plain(path) && !str_has_prefix(path, STR("/dev/")))
		words->found(words->context, kind, from_session(words, path));
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
			report(words, word, TOOL_EDIT);
	}
}

/* Finds all operands from the given word on; options are left out. The last ones, so many, are
 * written, and those before are gone. */
static void
report_operands(struct words *words, unsigned first, unsigned written)
{
	for (unsigned i = first; i < words->count; i++)
		report(words, words->word[i], i + written < words->count ? TOOL_DELETE : TOOL_EDIT);
}

/* git checkout changes files behind "--" alone: what stands before may be a branch. */
static void
report_checkout(struct words *words)
{
	unsigned i = 2;

	while (i < words->count && !str_eq(words->word[i], STR("--")))
		i++;
	report_operands(words, i + 1, WORDS_MAX);
}

/* git restore: the operands, without the tree that the files come from. */
static void
report_restore(struct words *words)
{
	for (unsigned i = 2; i < words->count; i++) {
		if (str_eq(words->word[i], STR("-s")) || str_eq(words->word[i], STR("--source")))
			i++;
		else
			report(words, words->word[i], TOOL_EDIT);
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
	else if (str_eq(verb, STR("mv")))
		report_operands(words, 2, 1);
	else if (str_eq(verb, STR("rm")) && !has_option(words, "--cached"))
		report_operands(words, 2, 0);
}

/* The files that a patch of apply_patch names, each in a line of its own. */
static void
report_patch(struct words *words, struct str text)
{
	enum tool_op op;
	struct str path;

	while (tool_patch_next(&text, &path, &op))
		words->found(words->context, op, from_session(words, path));
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
tool_patch_next(struct str *text, struct str *path, enum tool_op *op)
{
	enum { DELETES = 2 };
	static const struct str heads[] = {STR_INIT("*** Update File: "),
	    STR_INIT("*** Add File: "), STR_INIT("*** Delete File: "), STR_INIT("*** Move to: ")};

	while (text->len > 0) {
		struct str line = str_take_line(text);

		for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
			if (!str_has_prefix(line, heads[i]))
				continue;
			*path = str_trim(str_of(line.ptr + heads[i].len, line.len - heads[i].len));
			if (op != NULL)
				*op = i == DELETES ? TOOL_DELETE : TOOL_EDIT;
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

	if (str_eq(name, STR("rm")))
		report_operands(words, 1, 0);
	else if (str_eq(name, STR("mv")))
		report_operands(words, 1, 1);
	else if (str_eq(name, STR("tee")) || str_eq(name, STR("truncate")))
		report_operands(words, 1, WORDS_MAX);
	else if (str_eq(name, STR("cp")) && words->count > 2)
		report_operands(words, words->count - 1, 1);
	else if (str_eq(name, STR("cd")) && words->count == 2 && is_plain(words->word[1]))
		words->directory = from_session(words, words->word[1]);
	else if (str_eq(name, STR("sed")) &&
	    (has_option(words, "-i") || has_option(words, "--in-pl")))
		report_sed(words);
	else if (str_eq(name, STR("git")))
		report_git(words);
	words->is_patch |= tool_is_patch(name) || str_eq(name, STR("***"));
	words->count = 0;
	words->after = AFTER_NOTHING;
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
	if (words->after == AFTER_OUTPUT)
		report(words, word, TOOL_EDIT);
	else if (words->after == AFTER_HERE)
		words->delimiter = word;
	else if (words->after == AFTER_NOTHING && words->count < WORDS_MAX)
		words->word[words->count++] = word;
	words->after = AFTER_NOTHING;
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

/* The line feed behind ptr, or the end of the command. */
static const char *
end_of_line(const char *ptr, const char *end)
{
	const char *lf = memchr(ptr, '\n', (size_t)(end - ptr));

	return lf != NULL ? lf : end;
}

/* The end of the here-document that begins at ptr; the end of the command when it is not closed. */
static const char *
skip_here(struct str delimiter, const char *ptr, const char *end)
{
	while (ptr < end) {
		const char *lf = end_of_line(ptr, end);

		/* Behind <<- tabs may stand in front. */
		if (str_eq(str_trim(str_of(ptr, (size_t)(lf - ptr))), delimiter))
			return lf;
		ptr = lf < end ? lf + 1 : end;
	}
	return end;
}

/* Takes "<" with what belongs to it. Returns where the command goes on: at its end where there is
 * more than one here-document, which are looked at no further. */
static const char *
take_input(struct words *words, const char *ptr, const char *end)
{
	const char *start = ptr;

	while (ptr < end && *ptr == '<')
		ptr++;
	words->after = ptr - start == 2 ? AFTER_HERE : AFTER_INPUT;
	if (words->after == AFTER_HERE && ptr < end && *ptr == '-')
		ptr++;
	return words->after == AFTER_HERE && words->delimiter.len > 0 ? end : ptr;
}

/* Takes the operator at ptr. Returns where the command goes on. */
static const char *
take_operator(struct words *words, const char *ptr, const char *end)
{
	if (*ptr == '>') {
		while (ptr < end && *ptr == '>')
			ptr++;
		words->after = ptr == end || *ptr != '&' ? AFTER_OUTPUT : AFTER_NOTHING;
		return ptr;
	}
	if (*ptr == '<')
		return take_input(words, ptr, end);
	if (*ptr != ' ' && *ptr != '\t')
		end_command(words);
	ptr++;
	if (ptr[-1] != '\n' || words->delimiter.len == 0 || words->is_patch)
		return ptr;
	ptr = skip_here(words->delimiter, ptr, end);
	words->delimiter = STR("");
	return ptr;
}

void
tool_shell_writes(struct str command, struct arena *arena,
    void (*found)(void *context, enum tool_op kind, struct str path), void *context)
{
	struct words words = {.arena = arena, .found = found, .context = context};
	const char *ptr = command.ptr, *end = command.ptr + command.len;
	const char *start = ptr;
	bool in_word = false;

	while (ptr < end && !words.is_patch) {
		if (strchr(" \t\n;|&<>", *ptr) != NULL && *ptr != '\0') {
			end_word(&words, start, ptr, &in_word);
			ptr = take_operator(&words, ptr, end);
			continue;
		}
		if (!in_word && *ptr == '#') {
			ptr = end_of_line(ptr, end);
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
