#ifndef CHOICES_MODEL_CHOICE_H
#define CHOICES_MODEL_CHOICE_H

/*
 * The options that name a model, and which model they mean:
 *
 *     --model NAME                the only model whose name begins so, of any provider
 *     --provider P --model NAME   the same of that provider, or one of it that has no row
 *     --model P/NAME              the same, unless a model's own name begins with P/NAME
 */

#include "face/options/options.h"
#include "policy/budget/models.h"

struct model_options {
	const char *name; /* or PROVIDER/NAME */
	const char *provider;
	const char *file;
};

/* Rows of an option table. The command's struct has a member model, a struct model_options. */
#define OPTIONS_MODEL(type) \
	{"model", 'm', "NAME", "take window, reserve and encoding from that model", OPTION_STRING, \
	    offsetof(struct type, model.name)}, \
	    {"provider", 0, "PROVIDER", "whose model it is; unknown models have a window of 128k", \
		OPTION_STRING, offsetof(struct type, model.provider)}, \
	{ \
		"models-file", 0, "FILE", "more models, tab-separated as --models prints them", \
		    OPTION_FILE, offsetof(struct type, model.file) \
	}

/* The texts are of the options, or of the models. */
struct model_choice {
	struct str provider;       /* that is named, or of the model; empty: none */
	struct str name;           /* that is named, without the provider; empty: none */
	const struct model *model; /* its row, or that of the provider's other models; or NULL */
	struct str near; /* where model is NULL, a model of which name may be a slip; or empty */
};

/*
 * Reads the models of the user and sets the choice. models, which the caller frees, must live as
 * long as the choice. A model without a row is NULL when its provider is known, or when is_own says
 * that the caller knows a model of that name. Ends the program with status 64 when the provider or
 * the model is unknown otherwise, and as models_read says.
 */
void model_choice_make(struct model_choice *choice, const struct model_options *options,
    struct models *models, bool is_own);

/* Call when model is NULL. Warns that the named model has no row, and names the window that is
 * assumed. With has_window, an option gives the window, and the warning comes only if the name may
 * be a typing error. No warning is printed when no provider or no model is named. */
void model_choice_say_unknown(const struct model_choice *choice, bool has_window);

#endif
