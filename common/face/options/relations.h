#ifndef OPTIONS_RELATIONS_H
#define OPTIONS_RELATIONS_H

/*
 * The relations of options, which the rows of an option table give. A relation is a list of names
 * with blanks between them; NAME=VALUE means that value of an option with choices, given or not.
 *
 *     requires    one of them
 *     not_with    none of them
 *     only_with   no option but them
 */

#include "base/buf.h"
#include "face/command.h"

/* Whether the options that were given, in values, are related as their rows say. Otherwise appends
 * a sentence with both names to wrong. */
bool relations_hold(const struct command *command, const void *values, struct buf *wrong);

#endif
