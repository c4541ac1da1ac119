#ifndef VALUE_H
#define VALUE_H

/*
 * JSON values, as jq has them. A value never changes once it is shared: what sets a member makes
 * another value. Values live until the program ends, which is soon.
 */

#include "../bytes.h"

/* In the order in which values of different kinds are sorted. */
enum kind { KIND_NULL, KIND_FALSE, KIND_TRUE, KIND_NUMBER, KIND_STRING, KIND_ARRAY, KIND_OBJECT };

struct value {
	enum kind kind;
	/* The number, or the bytes of the string. */
	double number;
	const char *text;
	size_t len;
	/* Of an array the elements; of an object the values, their names in keys, as they came. */
	const struct value **items;
	const struct value **keys;
	size_t count, cap;
};

extern const struct value value_null, value_false, value_true;

/* Memory until the end of the program, zeroed. */
void *keep(size_t size);

/*
 * What is not answered here, the jq of the system is asked: it is called for anything of which one
 * jq might say something else than another, as an error or a number of 17 digits.
 */
_Noreturn void defer(void);

const struct value *value_bool(bool b);
const struct value *value_number(double number);
const struct value *value_string(const char *ptr, size_t len);
struct value *value_new(enum kind kind);
/* A copy whose elements or members may be set. */
struct value *value_copy(const struct value *v);
void value_add(struct value *array, const struct value *item);
void value_set(struct value *object, const struct value *key, const struct value *item);
void value_remove(struct value *v, size_t index);
/* The place of a member of the object, or (size_t)-1. */
size_t value_find(const struct value *object, const struct value *key);
bool value_is_true(const struct value *v);
int value_compare(const struct value *a, const struct value *b);
const char *value_type(const struct value *v);
/* Sorts the first count elements of keys, and items with them; equals stay in their order. */
void value_sort(const struct value **keys, const struct value **items, size_t count);
/* The value with the members of all its objects in the order of their names. */
const struct value *value_sorted(const struct value *v);

/* Reads the value at *at and goes on behind it. Returns NULL for what is no JSON. */
const struct value *value_parse(const char **at, const char *end);
/* Appends the value; with an indent of 2 for pretty, none for compact. */
void value_print(struct bytes *to, const struct value *v, bool pretty);
/* Code points of the string. */
size_t value_length(const struct value *string);
/* The byte at which the code point of that number begins, the end when there are fewer. */
size_t value_offset(const struct value *string, size_t point);

#endif
