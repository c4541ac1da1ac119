#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

/*
 * The commands, in the order in which ctx lists them. Each has one row here, and the folder
 * cmd/ctx-NAME defines the struct command that the row names. The programs ctx and ctx-compile
 * contain all commands, every other program only its own.
 */

#include "face/runner.h"

/* One row on each line, since tests read the table. */
/* clang-format off */
#define COMMANDS(row) \
	row(normalize_command) \
	row(route_command) \
	row(isolate_command) \
	row(project_command) \
	row(select_command) \
	row(redact_command) \
	row(compact_command) \
	row(restore_command) \
	row(show_command) \
	row(budget_command) \
	row(diff_command) \
	row(recall_command) \
	row(compile_command) \
	row(ctx_command)
/* clang-format on */

#define COMMANDS_DECLARE(name) extern const struct command name;
COMMANDS(COMMANDS_DECLARE)
#undef COMMANDS_DECLARE

/* All commands, ended by NULL. */
extern const struct command *const commands[];

/* The command of that name, such as "ctx-route", or NULL. */
const struct command *commands_find(const char *name);

#endif
