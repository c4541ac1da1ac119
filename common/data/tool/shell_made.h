#ifndef TOOL_SHELL_MADE_H
#define TOOL_SHELL_MADE_H

/*
 * What is there for sure behind a shell command that succeeded, since it made or copied it.
 */

#include "data/tool/shell_path.h"

/* Finds what the command of that name leaves, if it makes, copies, moves or links, for
 * tool_shell_ends; false: it is another. */
bool shell_made_report(struct shell_path *shell, struct str name);

/* Whether the command may fail only because what it writes cannot be written. */
bool shell_made_is_all(const struct simple_command *c);

/* Whether the status of the line is that of each of its commands, but for those in front of a pipe:
 * where it is 0, all of them ran. */
bool shell_made_is_chain(struct str command);

#endif
