#ifndef CTX_COMPILE_CHOICE_H
#define CTX_COMPILE_CHOICE_H

/* Which provider and which model the sections of a profile are chosen by. */

#include "face/options.h"
#include "policy/models.h"
#include "policy/profile_plan.h"

/*
 * Sets the choice by the arguments of --provider, --model and --models-file, NULL without them. The
 * model is one of the table, of which the beginning is enough, PROVIDER/NAME, or any that the
 * profile has a section for. models, which the caller frees, must live as long as the choice.
 * Returns whether the stages can be told the model. Ends the program with status 64 when the
 * provider or the model is not known, and with 66 or 78 when the models file cannot be read.
 */
bool choice_make(struct profile_plan_choice *choice, const struct profile *profile,
    struct models *models, const char *provider, const char *model, const char *models_file);

#endif
