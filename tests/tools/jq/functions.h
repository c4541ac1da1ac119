#ifndef FUNCTIONS_H
#define FUNCTIONS_H

/* What programs do to values. An error, which does not return, ends what try tries. */

#include "value.h"

_Noreturn void fail(void);

/* A function of a value and so many others; NULL when there is none of that name. */
typedef const struct value *builtin(const struct value *in, const struct value **args);
builtin *function_find(const char *name, size_t count);

const struct value *function_operator(char op, const struct value *a, const struct value *b);
/* How a format writes the value: text, json, tsv, csv. */
const struct value *function_format(const char *name, const struct value *v);
const struct value *function_get(const struct value *v, const struct value *key);
const struct value *function_slice(
    const struct value *v, const struct value *from, const struct value *to);
/* What stands at the path, an array of keys; and the value with another there, or with nothing. */
const struct value *function_get_path(const struct value *v, const struct value *path, size_t at);
const struct value *function_set_path(
    const struct value *v, const struct value *path, size_t at, const struct value *item);
const struct value *function_delete_paths(const struct value *v, const struct value *paths);

#endif
