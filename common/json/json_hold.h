#ifndef JSON_JSON_HOLD_H
#define JSON_JSON_HOLD_H

/*
 * Where the long values of a text end. A session that is one document has all its messages in one
 * array, and each question for a member after that array would search for its end again: the
 * readers of dialects ask some forty. While a text is held, json/members.h looks these ends up.
 *
 *     json_hold          a document, in a pass over its text
 *     json_hold_spans    a line, by what the scan has noted of it
 *
 * One text is held at a time, or a line of it. The memory of json_hold is a tenth of the text for
 * real sessions, and at most about twice the text, when that is nested as deep as can be.
 */

#include "json/value.h"

/* Holds a text that json_scan has accepted, if it is long enough to be worth a pass over it, and no
 * other text is held. It must stay where it is, unchanged, until json_release. Returns whether it
 * is held. */
bool json_hold(struct str text);

/* The same by the spans of that text, which must live until json_release; NULL: nothing is held.
 * The text may be a line of a document that is held: until then the line is held in its place. */
bool json_hold_spans(struct str text, const struct json_spans *spans);

/* Ends the newest of these. */
void json_release(void);

/* The text that is held, or an empty one. */
extern struct str json_held_text;

/* The value that begins at p, in the held text, if it is a long string or container. Otherwise its
 * type is JSON_ABSENT. */
struct json_value json_held_at(const char *p);

/* The members of the object that begins at p, in the held text, up to *end, if the scan has noted
 * them; else NULL. */
const struct json_member *json_held_members_at(const char *p, const struct json_member **end);

static inline bool
json_is_held(const char *p)
{
	return (uintptr_t)p - (uintptr_t)json_held_text.ptr < json_held_text.len;
}

static inline struct json_value
json_held(const char *p)
{
	return json_is_held(p) ? json_held_at(p) : json_absent;
}

static inline const struct json_member *
json_held_members(const char *p, const struct json_member **end)
{
	return json_is_held(p) ? json_held_members_at(p, end) : NULL;
}

#endif
