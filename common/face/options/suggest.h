#ifndef OPTIONS_SUGGEST_H
#define OPTIONS_SUGGEST_H

/*
 * What to type instead of an option that a command does not have. Only an option of the same
 * meaning is suggested: a slip of the fingers, or the beginning of a name. For option names that
 * are common in other programs, a table has the option that does the same here.
 */

#include "base/buf.h"

/* Appends the option to type instead of the unknown long option, or nothing. names are those of all
 * options of the command, ended by NULL. */
void suggest_name(
    struct buf *text, const char *command, const char *const *names, const char *name);

/* The same for a letter. */
void suggest_letter(struct buf *text, const char *command, const char *const *names, char letter);

#endif
