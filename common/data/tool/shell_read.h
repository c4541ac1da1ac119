#ifndef TOOL_SHELL_READ_H
#define TOOL_SHELL_READ_H

/*
 * Shell commands that only show lines of a file: "cd src && nl -ba a.c | sed -n 40,95p" those of
 * src/a.c from 40 to 95.
 */

#include "data/tool/tools.h"

/* Whether the command does nothing but show lines of one file: cat, nl, head, tail -n +40 and
 * sed -n 40,95p, also one behind the other. Sets *use to such a read; its target lives in arena. */
bool shell_read_find(struct str command, struct arena *arena, struct tool_use *use);

/* Whether the text of the result begins with what a command says that cannot show its file:
 * "cat: a.c: Permission denied". */
bool shell_read_failed(const struct message *message);

#endif
