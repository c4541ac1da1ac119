#ifndef JSON_PLACE_H
#define JSON_PLACE_H

/*
 * Finds the place in a JSON string for a place in its decoded text, so that a part of a string can
 * be replaced while the rest keeps its spelling:
 *
 *     "a\u0062\nc"     the string
 *       ^at            place.at, when place.decoded is 1
 *     ab(LF)c          the decoded text
 *
 * Places are asked for in the order of the text; a walk through a whole string takes linear time.
 */

#include "json/value.h"

struct json_place {
	const char *at;  /* in the string */
	const char *end; /* its closing quote */
	size_t decoded;  /* the number of decoded bytes before at */
	bool escaped;
};

/* Begins at the start of a string that json_scan has accepted. */
void json_place_open(struct json_place *place, struct json_value string);

/* The place in the string for offset decoded of the decoded text. The offset is a boundary between
 * code points, and not less than in the call before. */
const char *json_place_find(struct json_place *place, size_t decoded);

#endif
