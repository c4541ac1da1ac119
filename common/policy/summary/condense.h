#ifndef SUMMARY_CONDENSE_H
#define SUMMARY_CONDENSE_H

/*
 * Lines of a result that say little shrink to one line with their count, in their place:
 *
 *     of a check    runs of passing tests                         [… 12 passing tests …]
 *     of an edit    runs of lines that the call's arguments have  [… 30 lines of the edit …]
 *
 * All other lines stay, including failures, and the output of an edit that is not in its arguments.
 * Passing tests are recognized by the lines of TAP, cargo, go, jest, vitest, mocha, node, pytest,
 * unittest, ctest and GoogleTest. A line of an edit may begin with a line number or the sign of a
 * diff.
 */

#include "base/hash/map.h"
#include "data/session/session.h"

enum condense_kind { CONDENSE_NOTHING, CONDENSE_TESTS, CONDENSE_EDIT };

struct condense {
	enum condense_kind kind;
	const struct call *call;
	bool has_lines;
	struct map lines; /* of an edit: the lines of its arguments, once a text may have a run */
};

/* What is condensed in the result of that call. */
enum condense_kind condense_kind_of(const struct call *call);

/* Begins with the result of that call, which must outlive condense. condense_close is needed but
 * where the kind is CONDENSE_NOTHING. */
void condense_open(struct condense *condense, const struct call *call);
void condense_close(struct condense *condense);

/* Appends text to out with the runs of such lines condensed, three lines and more each. recall is
 * the command to read the full text (policy/text/recall.h), or "". Returns whether there was a
 * run. */
bool condense_text(struct condense *condense, struct str text, struct str recall, struct buf *out);

/* Whether a JSON text has a line with such a count. */
bool condense_is_in(struct str json);

#endif
