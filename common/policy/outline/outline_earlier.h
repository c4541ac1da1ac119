#ifndef POLICY_OUTLINE_OUTLINE_EARLIER_H
#define POLICY_OUTLINE_OUTLINE_EARLIER_H

/*
 * The lines of an earlier artifact, as lines of an outline: their marks show their kind. The facts
 * of the artifact have the number of these lines, the last ones of its text, and how many follow
 * each message that stayed, by the places of the messages (policy/facts/places.h):
 *
 *     "outline":40,"behind":[[17,10],[25,3]]      27 lines, message 17, 10 lines, message 25, 3
 */

#include "json/members.h"
#include "policy/outline/outline.h"

struct outline_earlier {
	struct outline *outline;
	struct str text;       /* the lines that are not added yet */
	struct json_walk walk; /* the messages and lines that follow */
	uint64_t lines;        /* after the current message */
	uint64_t place;        /* of that message; 0: lines before all such messages */
	struct str message;    /* the key of the newest line */
	uint32_t before;       /* earlier lines of its message */
};

/* Begins with the text of the artifact, which must outlive it, and those facts. */
void outline_earlier_open(struct outline_earlier *earlier, struct outline *outline, struct str text,
    struct json_value count, struct json_value behind);

/* Adds the lines that are not added yet, up to those after the message of that place; UINT64_MAX:
 * all. */
void outline_earlier_add(struct outline_earlier *earlier, uint64_t place);

#endif
