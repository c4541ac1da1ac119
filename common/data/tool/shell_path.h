#ifndef TOOL_SHELL_PATH_H
#define TOOL_SHELL_PATH_H

/*
 * The paths that the words of a shell command show, for those who find its files: common/data/tool
 * alone.
 */

#include "data/tool/simple_command.h"
#include "data/tool/tools.h"

struct shell_path {
	struct simple_command command;
	struct str directory; /* of cd; "": that of the session */
	bool is_lost;         /* the directory is not known */
	bool finds_ends;      /* what is there behind the command, directories included */
	bool does_more;       /* than to make that */
	struct arena *arena;
	void (*found)(void *context, enum tool_op kind, struct str path);
	void *context;
};

/* Whether the word is the path that it shows, and no option. */
bool shell_path_is_plain(struct str word);

/* The path that the word shows, with "~" for the home directory; "": it shows none for sure. It is
 * the word, or in the arena of the shell. */
struct str shell_path_of(const struct shell_path *shell, struct str word);

/* Goes to the directory; behind one that is not known ("") relative paths are not known, either. */
void shell_path_enter(struct shell_path *shell, struct str directory);

/* Sets *path to the path that the word shows, from the directory of the session; false: it shows
 * none for sure. */
bool shell_path_find(const struct shell_path *shell, struct str word, struct str *path);

/* Calls found for the path that the word shows, if it shows one. */
void shell_path_report(struct shell_path *shell, struct str word, enum tool_op kind);

/* Whether a word of the command begins so. */
bool shell_path_has_option(const struct shell_path *shell, const char *prefix);

#endif
