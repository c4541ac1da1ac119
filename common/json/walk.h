#ifndef JSON_WALK_H
#define JSON_WALK_H

/*
 * Walks the elements of an array or the members of an object that json_scan has accepted. Nothing
 * is validated again, so a value is skipped by counting brackets outside strings.
 *
 *     struct json_walk walk;
 *     json_walk_open(&walk, content);
 *     while (json_walk_next(&walk))
 *             use(walk.name, walk.value);
 */

#include "json/value.h"

struct json_walk {
	struct json_value name;  /* of the current member: a string; absent in an array */
	struct json_value value; /* the current member's or element's */
	const char *at;
	const char *end;
};

/* container is an array or an object; any other type walks over nothing. */
void json_walk_open(struct json_walk *walk, struct json_value container);

bool json_walk_next(struct json_walk *walk);

/*
 * json_walk_next of an array, and json_pick of its next element in the same pass over the bytes;
 * nothing is picked from an element that is no object. Where a picked value is an object and its
 * name's bit is set in inside, its members are picked too, as if they stood beside it.
 */
bool json_walk_pick(struct json_walk *walk, const struct json_names *names, uint32_t inside,
    struct json_value *member);

/* The value that starts at ptr, inside a container that json_scan has accepted. */
struct json_value json_value_at(const char *ptr);

/* Puts the first member of each name into member[0 .. names->count - 1], JSON_ABSENT where there is
 * none or object is not an object. Stops early when all are found. */
void json_pick(struct json_value object, const struct json_names *names, struct json_value *member);

/* The first member of that name, or type JSON_ABSENT. */
struct json_value json_find(struct json_value object, struct str name);

#endif
