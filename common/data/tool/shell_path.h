#ifndef TOOL_SHELL_PATH_H
#define TOOL_SHELL_PATH_H

/*
 * The paths in the words of a shell command. For modules of common/data/tool only, which find the
 * files of a command.
 */

#include "data/tool/simple_command.h"
#include "data/tool/tools.h"

struct shell_path {
	struct simple_command command;
	struct str directory; /* the directory after cd; "": that of the session */
	bool is_lost;         /* the directory is not known */
	bool finds_ends;      /* reports files and directories that exist after the command */
	bool does_more;       /* the command does more than to make these */
	struct arena *arena;
	void (*found)(void *context, enum tool_op kind, struct str path);
	void *context;
};

/* Whether the word is literally a path: nothing in it is expanded, and it is no option. */
bool shell_path_is_plain(struct str word);

/* The path that the word means, with "~" for the home directory; "" when the path is not certain.
 * The path is the word itself, or lives in shell->arena. */
struct str shell_path_of(const struct shell_path *shell, struct str word);

/* Changes to the directory. After an unknown directory (""), relative paths are unknown, too. */
void shell_path_enter(struct shell_path *shell, struct str directory);

/* Sets *path to the path that the word means, relative to the directory of the session. Returns
 * false when the path is not certain. */
bool shell_path_find(const struct shell_path *shell, struct str word, struct str *path);

/* Calls found for the path that the word means, if the path is certain. */
void shell_path_report(struct shell_path *shell, struct str word, enum tool_op kind);

/* Whether a word of the command begins with prefix. */
bool shell_path_has_option(const struct shell_path *shell, const char *prefix);

#endif
