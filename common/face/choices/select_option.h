#ifndef CHOICES_SELECT_OPTION_H
#define CHOICES_SELECT_OPTION_H

/* The options of commands that pick messages by selectors (data/select/selector.h). */

#include "data/select/selectors.h"
#include "face/options/options.h"

/* Compiles the arguments of an option, which are alternatives. Ends the program with status 64,
 * with a caret under the place, when one of them is malformed. */
void select_option_parse(
    const struct option_list *texts, const char *option, struct selectors *selectors);

/* Prints the error in the text, and ends the program with status 64. The text is an argument of the
 * option, or, with option NULL, an operand; an operand that is a file gets its own message. */
_Noreturn void select_option_fail(
    const char *option, const char *text, const struct selector_error *error);

#endif
