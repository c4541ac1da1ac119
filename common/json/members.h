#ifndef JSON_MEMBERS_H
#define JSON_MEMBERS_H

/*
 * Walks the elements of an array or the members of an object that json_scan has accepted. Nothing
 * is validated again, so a value is skipped by counting brackets outside strings.
 *
 *     for (struct json_walk walk = json_walk_of(content); json_walk_next(&walk);)
 *             use(walk.name, walk.value);
 */

#include "json/value.h"

struct json_walk {
	struct json_value name;  /* of the current member, a string; absent in an array */
	struct json_value value; /* of the current member or element */
	const char *at;
	const char *end;
	const struct json_spans *spans; /* long values whose ends are known; NULL: none */
	const struct json_member *noted, *noted_end; /* what is left of its members; or NULL */
};

/* Begins a walk over container, an array or an object. A value of any other type has no
 * elements. */
struct json_walk json_walk_of(struct json_value container);

/* The same over the elements of an array only, and over the members of an object only. */
struct json_walk json_walk_list(struct json_value list);
struct json_walk json_walk_members(struct json_value object);

/* The same as json_walk_of, where spans are those of the text in which the container is, or NULL.
 * They live as long as the walk. */
struct json_walk json_walk_in(struct json_value container, const struct json_spans *spans);

bool json_walk_next(struct json_walk *walk);

/*
 * json_walk_next in an array, and json_pick of the next element, in one pass over the bytes.
 * Nothing is picked from an element that is no object. When a picked value is itself an object and
 * the bit of its name is set in inside, its members are picked too, as if they stood beside it.
 */
bool json_walk_pick(struct json_walk *walk, const struct json_names *names, uint32_t inside,
    struct json_value *member);

/* Sets scan to what json_scan gave for a text that it has accepted, but for repeated, which is 0,
 * and for elements: none are noted, as if there were too many. Of the count values that are known,
 * those that are members of the text are not read again. */
void json_reread(struct str text, const struct json_names *names, const struct json_value *known,
    unsigned count, struct json_scan *scan);

/* Notes the objects of the list that names have, as json_scan does, in what json_reread has set. Of
 * a longer list none are noted. */
void json_note_elements(const struct json_names *names, struct json_scan *scan);

/* The valid text, one value without white space around it, as a value. */
struct json_value json_whole(struct str text);

/* The value that starts at ptr, inside a container that json_scan has accepted. */
struct json_value json_value_at(const char *ptr);

/* Sets member[i] to the first member of object with name i, for each of names; to JSON_ABSENT when
 * there is none or object is no object. Stops early when all are found. */
void json_pick(struct json_value object, const struct json_names *names, struct json_value *member);

/* The same, with the spans of the text in which the object is, or NULL. */
void json_pick_in(struct json_value object, const struct json_names *names,
    const struct json_spans *spans, struct json_value *member);

/* The first member with that name; its type is JSON_ABSENT when there is none. */
struct json_value json_find(struct json_value object, struct str name);

/* The same, with the spans of the text in which the object is, or NULL. */
struct json_value json_find_in(
    struct json_value object, struct str name, const struct json_spans *spans);

/* The first element; its type is JSON_ABSENT when there is none, or list is no array. */
struct json_value json_first(struct json_value list);

/* Whether the value is an array or object with at least one element or member. */
bool json_has_elements(struct json_value container);

/* Whether the member type of the object is a string of that text. */
bool json_has_type(struct json_value object, struct str type);

/* Whether there is a member with that name, null or not. */
bool json_has(struct json_value object, struct str name);

/* Whether the value is an array whose elements are all of that type. */
bool json_is_list_of(struct json_value value, enum json_type type);

#endif
