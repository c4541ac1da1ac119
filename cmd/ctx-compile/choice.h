#ifndef CTX_COMPILE_CHOICE_H
#define CTX_COMPILE_CHOICE_H

/*
 * Which provider and which model the sections of a profile are chosen by, and what the stages are
 * told of them. Where the command line names none, those that the profile itself names count.
 */

#include "face/choices/model_choice.h"
#include "policy/profile/profile_plan.h"

struct choice {
	struct model_choice model;
	struct profile_plan_choice sections;
};

/* Sets the choice, and adds the options that tell the stages of it to the profile. models, which
 * the caller frees, must live as long as the choice. Ends the program as model_choice_make does. */
void choice_make(struct choice *choice, struct profile *profile, struct models *models,
    const struct model_options *options);

/* Warns of a model that no table knows, in place of the stages, which are not told. */
void choice_say_unknown(const struct choice *choice, const struct profile_plan *plan);

/* Warns of sections for a provider or a model that no table has and whose name may be a slip. */
void choice_check_sections(const struct profile *profile, const struct models *models);

#endif
