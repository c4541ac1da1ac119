#ifndef OPTIONS_OPTION_VALUE_H
#define OPTIONS_OPTION_VALUE_H

#include "base/fault.h"
#include "face/options/common_options.h"

/* Parses the argument into the option's member of values, the command's struct. Returns false with
 * the fault set, with status 64 when the argument is wrong, and with that of reading when a file
 * cannot be read. */
bool option_value_set(
    const struct option *option, const char *argument, void *values, struct fault *fault);

/* Adds the argument, which must live as long as the list. Returns false when the list is full. */
bool option_value_add(struct option_list *list, const char *argument);

#endif
