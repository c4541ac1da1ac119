#ifndef FACE_SELECTING_H
#define FACE_SELECTING_H

/* The options of commands that pick messages by selectors (data/selector.h). */

#include "data/selectors.h"
#include "face/options.h"

/* Compiles the arguments of an option, which are alternatives. Ends the program with status 64,
 * with a caret under the place, when one of them is malformed. */
void selecting_parse(
    const struct option_list *texts, const char *option, struct selectors *selectors);

/* Says what is wrong with the text, an argument of that option or, with NULL, an operand, and ends
 * the program with status 64. */
_Noreturn void selecting_fail(
    const char *option, const char *text, const struct selector_error *error);

#endif
