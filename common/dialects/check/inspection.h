#ifndef DIALECTS_INSPECTION_H
#define DIALECTS_INSPECTION_H

/*
 * An inspection by the rules of one API: the record that is judged, and the violations found so
 * far.
 */

#include "dialects/check/refusals.h"
#include "dialects/dialect.h"
#include "dialects/request/systems.h"

struct inspection {
	const struct dialect *dialect;
	enum systems_place place; /* SYSTEMS_KEEP: system messages may come after others */
	struct line line;         /* of the record that is judged */
	uint64_t count[VIOLATION_COUNT];
	struct buf findings; /* a violation_list; its reader empties it */
};

/* Notes a violation in that line. The subject is JSON; an empty subject becomes "". */
void inspection_find_at(struct inspection *inspection, enum violation violation,
    const struct line *line, struct str subject);

/* Notes a violation in the line that is judged; the subject may be absent. */
void inspection_find(
    struct inspection *inspection, enum violation violation, struct json_value subject);
void inspection_find_refusals(struct inspection *inspection, const struct refusals *refusals);

/* Notes all that the API refuses of the message by itself, without regard to its neighbours. */
void inspection_judge(struct inspection *inspection, const struct message *message);

#endif
