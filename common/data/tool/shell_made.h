#ifndef TOOL_SHELL_MADE_H
#define TOOL_SHELL_MADE_H

/*
 * The files and directories that certainly exist after a shell command has succeeded, since the
 * command made or copied them.
 */

#include "data/tool/shell_path.h"

/* Reports, for tool_shell_ends, the files that the simple command of that name leaves. Returns
 * false when it is no command that makes, copies, moves or links files. */
bool shell_made_report(struct shell_path *shell, struct str name);

/* Whether the command can fail only because its output files cannot be written. */
bool shell_made_is_all(const struct simple_command *c);

/* Whether status 0 of the line means that all of its commands ran and succeeded, except those
 * before a pipe. */
bool shell_made_is_chain(struct str command);

#endif
