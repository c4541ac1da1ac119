#ifndef CTX_SHOW_STEP_CHOICE_H
#define CTX_SHOW_STEP_CHOICE_H

/* The choice of messages that are shown as a whole: by numbers, an id, or selectors. */

#include "data/select/selectors.h"
#include "face/options/common_options.h"
#include "steps.h"

struct step_choice {
	const char *number;   /* the option; NULL: not given */
	uint64_t first, last; /* the range it gives; 0: not given */
	const char *at;       /* an id; NULL: not given */
	struct selectors select;
	/* the numbers nearest to the chosen ones, which do not exist; 0: none */
	uint64_t before, behind;
};

/* Reads the options, of which number and at may be NULL; they must live as long as the choice. Ends
 * the program with status 64 when one is wrong. */
void step_choice_parse(struct step_choice *choice, const char *number, const char *at,
    const struct option_list *select);

/* Whether any option was given. */
bool step_choice_is_made(const struct step_choice *choice);

/* Whether the step is chosen. Notes the numbers nearest to the choice. */
bool step_choice_has(struct step_choice *choice, const struct step *step);

/* Says that nothing is chosen, and which numbers are nearest: between these may be lines of an
 * agent's file on which no message begins. */
void step_choice_say_none(const struct step_choice *choice);

void step_choice_free(struct step_choice *choice);

#endif
