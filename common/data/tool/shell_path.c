#include "data/tool/shell_path.h"

#include "base/byte.h"
#include "base/text/file_path.h"

bool
shell_path_is_plain(struct str word)
{
	static const char expanded[] = "$`*?[{&|;<>()'\"\\";

	for (size_t i = 0; i < word.len; i++)
		if (strchr(expanded, word.ptr[i]) != NULL)
			return false;
	return word.len > 0 && word.ptr[0] != '-' && word.ptr[0] != '~';
}

/* The byte before the word in the line is its quote, if there is one. */
struct str
shell_path_of(const struct shell_path *shell, struct str word)
{
	static const struct str homes[] = {STR_INIT("~"), STR_INIT("$HOME"), STR_INIT("${HOME}"),
	    STR_INIT("\"$HOME\""), STR_INIT("\"${HOME}\"")};
	struct buf path = BUF_INIT;
	struct str rest = STR(""), home = STR("");

	if (shell_path_is_plain(word))
		return word;
	for (size_t i = 0; i < ARRAY_COUNT(homes) && home.len == 0; i++) {
		const char *quotes = i == 0 ? "'\"" : "'";

		rest = str_rest(word, homes[i].len);
		if (str_has_prefix(word, homes[i]) && !byte_is_in(word.ptr[-1], quotes) &&
		    (rest.len == 0 || rest.ptr[0] == '/'))
			home = STR("~");
	}
	if (home.len == 0 || (rest.len > 0 && !shell_path_is_plain(rest)) ||
	    str_find(rest, STR("..")) != NULL)
		return STR("");
	buf_add_str(&path, home);
	buf_add_str(&path, rest);
	word = arena_copy(shell->arena, buf_str(&path));
	buf_free(&path);
	return word;
}

void
shell_path_enter(struct shell_path *shell, struct str directory)
{
	enum { DIRECTORY_MOST = 1024 }; /* bytes */

	shell->is_lost = directory.len == 0 ||
	    (shell->is_lost && !file_path_is_absolute(directory)) ||
	    shell->directory.len + directory.len > DIRECTORY_MOST;
	shell->directory =
	    shell->is_lost ? STR("") : file_path_below(shell->directory, directory, shell->arena);
}

bool
shell_path_find(const struct shell_path *shell, struct str word, struct str *path)
{
	*path = shell_path_of(shell, word);
	if (path->len == 0 || str_eq(*path, STR("~")) || str_has_prefix(*path, STR("/dev/")) ||
	    (shell->is_lost && !file_path_is_absolute(*path)))
		return false;
	*path = file_path_below(shell->directory, *path, shell->arena);
	return true;
}

void
shell_path_report(struct shell_path *shell, struct str word, enum tool_op kind)
{
	struct str path;

	if (shell_path_find(shell, word, &path))
		shell->found(shell->context, kind, path);
}

bool
shell_path_has_option(const struct shell_path *shell, const char *prefix)
{
	for (unsigned i = 1; i < shell->command.words; i++)
		if (str_has_prefix(shell->command.word[i], str_from(prefix)))
			return true;
	return false;
}
