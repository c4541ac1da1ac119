#ifndef RUN_H
#define RUN_H

/*
 * Runs a program on a value. An error of the program, which the jq of the system words, is deferred
 * to that, but for those that the program itself catches.
 */

#include "program.h"

/* What takes each result; returns false when it wants no more. */
struct sink {
	bool (*take)(struct sink *sink, const struct value *v);
};

/* Values that have a name in the program, without its "$". */
void run_define(const char *name, const struct value *value);
void run(const struct node *program, const struct value *v, struct sink *sink);
/* The next value of the input, or NULL; given by main. */
const struct value *next_input(void);

#endif
