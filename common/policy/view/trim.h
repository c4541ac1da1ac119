#ifndef VIEW_TRIM_H
#define VIEW_TRIM_H

/*
 * Trimming a view of a held session to its newest or its oldest messages. It works by units: a
 * pair group, or a message that is in none.
 *
 *     last     kept  . . . . . [ start-on ... | ... newest ] end-on . .
 *     first    . . start-on [ oldest ... | ... end-on ] . . . . . kept
 *
 * Kept units count first. Then units are taken from one end of the view, up to the first that does
 * not fit; a part of that one may stay. Units of unwanted roles at that end are removed before the
 * counting, so that they take no room; at the other end they are removed afterwards. Kept units
 * stay in their places, and are never removed.
 */

#include "base/number.h"
#include "data/select/selectors.h"
#include "policy/text/partial.h"

/* The words of messages to keep, as bits. */
enum trim_word {
	TRIM_SYSTEM = 1 << 0,
	TRIM_DEVELOPER = 1 << 1,
	TRIM_FIRST = 1 << 2, /* the framing of the task (policy/framing.h) */
	TRIM_PINNED = 1 << 3,
	TRIM_CRITICAL = 1 << 4,
	TRIM_SUMMARY = 1 << 5,
};

/* The zero value removes nothing. */
struct trim {
	struct size size;            /* SIZE_UNSET: all fits */
	bool from_start;             /* the oldest, and not the newest */
	unsigned start_on;           /* bits 1 << enum role: roles of the first unit; 0: any */
	unsigned end_on;             /* the same for the last message */
	unsigned words;              /* what is kept: bits of enum trim_word */
	struct selectors keep;       /* and whatever one of these selects */
	enum partial partial;        /* of a message that does not fit, in tokens */
	struct estimator *estimator; /* may be NULL when no size or selector looks at tokens */
};

/* Adds to the kept messages by the text: a list of words, or else a selector. Returns false, with
 * the error set, when the text is neither. */
bool trim_keep(struct trim *trim, const char *text, struct selector_error *error);

/* Adds the roles of a comma-separated list, in which human and ai mean user and assistant. Returns
 * false when one of them is no role; then *roles says nothing. */
bool trim_parse_roles(const char *list, unsigned *roles);

/* Whether the trim may remove anything. */
bool trim_is_set(const struct trim *trim);

/* Drops the trimmed messages of a session that has ended. */
void trim_apply(const struct trim *trim, struct session *session);

void trim_free(struct trim *trim);

#endif
