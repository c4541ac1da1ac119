#ifndef JSON_LEAVES_H
#define JSON_LEAVES_H

/*
 * Walks all names, strings and numbers of a text that json_scan has accepted, at every depth, in
 * the order of the text and in one pass over its bytes.
 *
 *     json_leaves_open(leaves, text);
 *     while ((kind = json_leaves_next(leaves)) != JSON_LEAF_END)
 *             use(kind, leaves->value);
 *
 * {"a":["b",1]} has the leaves "a" (a name), "b" and 1. The walk knows where it is:
 *
 *     level[0] object, name "a"
 *     level[1] array, index 1          depth is 2
 */

#include "json/value.h"

enum json_leaf { JSON_LEAF_END, JSON_LEAF_NAME, JSON_LEAF_STRING, JSON_LEAF_NUMBER };

struct json_level {
	const char *from;       /* where the array or object begins */
	struct json_value name; /* of the current member; absent in an array */
	uint32_t index;         /* of the current element, from 0 */
	bool is_object;
};

struct json_leaves {
	struct json_value value; /* the leaf */
	unsigned depth;          /* levels in use */
	const char *at, *end;
	bool is_name; /* the next string is a name */
	struct json_level level[JSON_DEPTH_MAX];
};

/* Begins a walk. text must live as long as the walk. Most of the memory of leaves stays
 * uninitialized. */
void json_leaves_open(struct json_leaves *leaves, struct str text);

enum json_leaf json_leaves_next(struct json_leaves *leaves);

/* The name of the innermost member that has the current value, also when the value is an element of
 * an array: "a" for both values of {"a":["b",1]}. Absent when no member has the value. */
struct json_value json_leaves_name(const struct json_leaves *leaves);

#endif
