#ifndef CTX_COMPILE_CHOICE_H
#define CTX_COMPILE_CHOICE_H

/*
 * The provider and the model by which sections of a profile are chosen, and the options for them
 * that the stages get. Without one on the command line, those that the profile names count.
 */

#include "face/choices/model_choice.h"
#include "policy/profile/profile_plan.h"

struct choice {
	struct model_choice model;
	struct profile_plan_choice sections;
};

/* Sets the choice, and adds the options that pass it to the stages to the profile. models, which
 * the caller frees, must live as long as the choice. Ends the program as model_choice_make does. */
void choice_make(struct choice *choice, struct profile *profile, struct models *models,
    const struct model_options *options);

/* Warns of a model that no table knows, instead of the stages, which do not get it. */
void choice_say_unknown(const struct choice *choice, const struct profile_plan *plan);

/* Warns of sections for an unknown provider or model, whose name may be a typing error. */
void choice_check_sections(const struct profile *profile, const struct models *models);

#endif
