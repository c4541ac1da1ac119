#ifndef SECRET_LABEL_H
#define SECRET_LABEL_H

/*
 * Names that are values themselves: of the headers of a request, of variables, of the members of a
 * form, of options. The value of such a pair is asked for by the label beside it.
 *
 *     {"name":"DB_PASSWORD","value":"..."}   {"Key":"x-api-key","type":"text","Value":"..."}
 *     ["tides","--password","..."]
 *
 * A label is anywhere before the value in its object, or directly after it; an option is directly
 * before the value in its array.
 */

#include "json/leaves.h"

struct label {
	struct json_value value;
	uint64_t walk;  /* the one that it was noted in */
	uint32_t index; /* of the element that it is, in an array */
};

struct label_list {
	uint64_t walk;
	struct label
	    level[JSON_DEPTH_MAX]; /* the label of the object or array at each level of the walk */
};

/* Begins a walk; the labels of other walks no longer count. */
void label_open(struct label_list *list, uint64_t walk);

/* Notes the string at hand, if it is a label. */
void label_note(struct label_list *list, const struct json_leaves *leaves);

/* The label of the string or number at hand, also in a list of values; absent when it has none. */
struct json_value label_find(const struct label_list *list, const struct json_leaves *leaves);

#endif
