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
	/* The members to come, if they are known (json/json_hold.h); or NULL. */
	const struct json_member *noted, *noted_end;
};

/* Begins a walk over container, an array or an object. A value of any other type has no
 * elements. */
struct json_walk json_walk_of(struct json_value container);

/* The same, but json_walk_list walks nothing that is no array, and json_walk_members nothing that
 * is no object. */
struct json_walk json_walk_list(struct json_value list);
struct json_walk json_walk_members(struct json_value object);

bool json_walk_next(struct json_walk *walk);

/*
 * json_walk_next in an array, and json_pick of the next element, in one pass over the bytes.
 * Nothing is picked from an element that is no object. When a picked value is itself an object and
 * the bit of its name is set in inside, members are also picked from that object, as if they were
 * members of the element.
 */
bool json_walk_pick(struct json_walk *walk, const struct json_names *names, uint32_t inside,
    struct json_value *member);

/* Sets scan again to the result of json_scan for a text that json_scan has accepted. Three members
 * differ: repeated is 0, elements is JSON_ELEMENTS_MAX + 1, with no element set, and object is not
 * set. known has count values of which the ends are known: those that are members of the text are
 * not read again. */
void json_reread(struct str text, const struct json_names *names, const struct json_value *known,
    unsigned count, struct json_scan *scan);

/* Completes a scan that json_reread has set: sets object, as json_scan does. */
void json_note_object(const struct json_names *names, struct json_scan *scan);

/* Completes a scan that json_reread has set: notes the objects of the list that names have, as
 * json_scan does. For a list longer than JSON_ELEMENTS_MAX, elements is JSON_ELEMENTS_MAX + 1. */
void json_note_elements(const struct json_names *names, struct json_scan *scan);

/* The value of a valid text that has no white space around its one value. */
struct json_value json_whole(struct str text);

/* The value that begins at ptr, in a text that json_scan has accepted. */
struct json_value json_value_at(const char *ptr);

/* Sets member[i] to the first member of object with name i, for each of names; to JSON_ABSENT when
 * there is none or object is no object. Stops early when all are found. */
void json_pick(struct json_value object, const struct json_names *names, struct json_value *member);

/* The first member with that name; its type is JSON_ABSENT when there is none. */
struct json_value json_find(struct json_value object, struct str name);

/* The first element; its type is JSON_ABSENT when there is none, or list is no array. */
struct json_value json_first(struct json_value list);

/* Whether the value is an array or object with at least one element or member. */
bool json_has_elements(struct json_value container);

/* Whether the object has a member "type" that is a string with that decoded text. */
bool json_has_type(struct json_value object, struct str type);

/* Whether object has a member with that name, also when the value of the member is null. */
bool json_has(struct json_value object, struct str name);

/* Whether the value is an array whose elements are all of that type. */
bool json_is_list_of(struct json_value value, enum json_type type);

#endif
