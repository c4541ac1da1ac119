#ifndef CTX_SHOW_STEP_CHOICE_H
#define CTX_SHOW_STEP_CHOICE_H

/* Which messages are shown as a whole: those of numbers, of an id, or of selectors. */

#include "data/select/selectors.h"
#include "face/options/common_options.h"
#include "steps.h"

struct step_choice {
	const char *number;   /* as it was given; NULL: without it, */
	uint64_t first, last; /* and what it is; 0: without it */
	const char *at;       /* an id; NULL: without it */
	struct selectors select;
	uint64_t before, behind; /* the numbers next to those that are chosen; 0: none */
};

/* Reads the options, of which number and at may be NULL; they must live as long as the choice. Ends
 * the program with status 64 when one is wrong. */
void step_choice_parse(struct step_choice *choice, const char *number, const char *at,
    const struct option_list *select);

/* Whether any was given. */
bool step_choice_is_made(const struct step_choice *choice);

/* Whether the step is chosen. Notes the numbers next to what is. */
bool step_choice_has(struct step_choice *choice, const struct step *step);

/* Says that nothing is chosen, and which numbers are there: between them may lie lines of an
 * agent's file on which no message begins. */
void step_choice_say_none(const struct step_choice *choice);

void step_choice_free(struct step_choice *choice);

#endif
