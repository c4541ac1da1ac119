#ifndef JSON_JSON_HOLD_H
#define JSON_JSON_HOLD_H

/*
 * Where the long values of a document end. A session that is one document has all its messages in
 * one array, and each question for a member after that array would search for its end again: the
 * readers of dialects ask some forty. While a text is held, json/members.h looks these ends up.
 *
 * One text is held at a time. The memory is a tenth of the text for real sessions, and at
 * most about twice the text, when that is nested as deep as can be.
 */

#include "json/value.h"

/* Holds a text that json_scan has accepted, if it is long enough to be worth a pass over it, and no
 * other text is held. It must stay where it is, unchanged, until json_release. Returns whether it
 * is held. */
bool json_hold(struct str text);
void json_release(void);

/* The text that is held, or an empty one. */
extern struct str json_held_text;

/* The value that begins at p, in the held text, if it is a long string or container. Otherwise its
 * type is JSON_ABSENT. */
struct json_value json_held_at(const char *p);

static inline struct json_value
json_held(const char *p)
{
	if ((uintptr_t)p - (uintptr_t)json_held_text.ptr >= json_held_text.len)
		return (struct json_value){.type = JSON_ABSENT};
	return json_held_at(p);
}

#endif
