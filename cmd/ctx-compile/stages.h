#ifndef CTX_COMPILE_STAGES_H
#define CTX_COMPILE_STAGES_H

/*
 * The commands that a plan runs: those of the stages that are on, with the operands. The first
 * command reads the operands if it is a command of ctx; otherwise a cat(1) before it does.
 */

#include "base/fault.h"
#include "policy/profile/profile_plan.h"

struct stages_command {
	const struct profile_plan_stage *stage; /* NULL: cat(1) */
	char **words;                           /* ended by NULL */
	const char *path;                       /* the file to run; NULL until stages_find */
	/* path is a command of ctx beside the running program */
	bool is_beside;
};

struct stages {
	struct stages_command command[PROFILE_STAGES + 1];
	unsigned count; /* at least 1 */
};

/* Sets the commands. Everything is kept in the profile's arena. The further words, ended by NULL,
 * go to the first stage that is a command of ctx. Returns false when there are further words, but
 * no such stage. */
bool stages_init(struct stages *stages, struct profile *profile, const struct profile_plan *plan,
    char *const *further, char *const *operand, int count);

/* Finds the files of all commands: a command of ctx beside the running program, or else, like any
 * other command, on PATH. Returns false with the fault set, with status 69, when one is missing. */
bool stages_find(struct stages *stages, struct profile *profile, struct fault *fault);

/* Appends the pipeline as a shell command. */
void stages_explain(const struct stages *stages, const char *output, struct buf *text);

#endif
