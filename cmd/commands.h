#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

/*
 * The commands, in the order in which ctx lists them. Each has one row here, and the folder
 * cmd/ctx-NAME defines the struct command that the row names. ctx and ctx-compile have all of them
 * within themselves; every other program has its own alone.
 */

#include "face/runner.h"

/* A line a row: tests read it. */
/* clang-format off */
#define COMMANDS(row) \
	row(normalize) \
	row(route) \
	row(isolate) \
	row(project) \
	row(select) \
	row(redact) \
	row(compact) \
	row(restore) \
	row(budget) \
	row(diff) \
	row(recall) \
	row(compile) \
	row(ctx)
/* clang-format on */

#define COMMANDS_DECLARE(name) extern const struct command name##_command;
COMMANDS(COMMANDS_DECLARE)
#undef COMMANDS_DECLARE

/* All of them, ended by NULL. */
extern const struct command *const commands[];

/* The command of that name, such as "ctx-route", or NULL. */
const struct command *commands_find(const char *name);

#endif
