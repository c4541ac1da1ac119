#ifndef CHOICES_SELECT_OPTION_H
#define CHOICES_SELECT_OPTION_H

/* The options of commands that pick messages by selectors (data/select/selector.h). */

#include "data/select/selectors.h"
#include "face/options/options.h"

/* Compiles the arguments of an option, which are alternatives. Ends the program with status 64,
 * with a caret under the place, when one of them is malformed. */
void select_option_parse(
    const struct option_list *texts, const char *option, struct selectors *selectors);

/* Says what is wrong with the text, an argument of that option or, with NULL, an operand, for which
 * a file may have been given; and ends the program with status 64. */
_Noreturn void select_option_fail(
    const char *option, const char *text, const struct selector_error *error);

#endif
