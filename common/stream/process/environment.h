#ifndef PROCESS_ENVIRONMENT_H
#define PROCESS_ENVIRONMENT_H

/* The environment of this program with those variables, each "NAME=value", in place of its own ones
 * of the same names. Both lists are ended by NULL; variables may be NULL. The list is the caller's
 * to free, the strings in it are not. */
const char **environment_with(const char *const *variables);

#endif
