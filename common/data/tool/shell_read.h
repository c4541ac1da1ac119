#ifndef TOOL_SHELL_READ_H
#define TOOL_SHELL_READ_H

/*
 * Shell commands that only show lines of a file: "cd src && nl -ba a.c | sed -n 40,95p" shows lines
 * 40 to 95 of src/a.c.
 */

#include "data/tool/tools.h"

/* Whether the command only shows lines of one file, by cat, nl, head, tail -n +40 or sed -n 40,95p,
 * or a pipe of these. If so, sets *use to a read of these lines; its target lives in arena. */
bool shell_read_find(struct str command, struct arena *arena, struct tool_use *use);

/* Whether the text of the result begins with the error message of such a command that could not
 * read its file: "cat: a.c: Permission denied". */
bool shell_read_failed(const struct message *message);

#endif
