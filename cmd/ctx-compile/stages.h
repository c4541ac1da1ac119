#ifndef CTX_COMPILE_STAGES_H
#define CTX_COMPILE_STAGES_H

/*
 * The commands that a plan runs: those of the stages that are on, with the operands. The first of
 * them reads the operands, if it is one of ours; else a cat(1) in front of it does.
 */

#include "base/fault.h"
#include "policy/profile/profile_plan.h"

struct stages_command {
	const struct profile_plan_stage *stage; /* NULL: the cat */
	char **words;                           /* ended by NULL */
	const char *path;                       /* the file to run; NULL until stages_find */
	bool is_beside;                         /* that file is a command of ctx beside this one */
};

struct stages {
	struct stages_command command[PROFILE_STAGES + 1];
	unsigned count; /* at least 1 */
};

/* Sets the commands. Everything is kept in the profile's arena. The further words, ended by NULL,
 * go to the first stage that is one of ours. Returns false when there are some, but no such stage.
 */
bool stages_init(struct stages *stages, struct profile *profile, const struct profile_plan *plan,
    char *const *further, char *const *operand, int count);

/* Finds the files of all commands: a command of ctx beside the running program, any other, or where
 * there is none, on PATH. Returns false with the fault set, with status 69, when one is missing. */
bool stages_find(struct stages *stages, struct profile *profile, struct fault *fault);

/* Appends the pipeline as a shell runs it. */
void stages_explain(const struct stages *stages, const char *output, struct buf *text);

#endif
