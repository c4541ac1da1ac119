#ifndef DRAFT_DRAFT_SOURCE_H
#define DRAFT_DRAFT_SOURCE_H

/*
 * Which line of a file a message begins on, as metadata.source: the number of the line, or the
 * string "LINE.K" for the Kth message of the line, from the second one on.
 */

#include "dialects/draft/draft.h"
#include "stream/input.h"

/* The messages that have begun on one line so far. Zeroed before the first. */
struct draft_source {
	const char *file;
	size_t number;
	unsigned messages;
};

/* Sets metadata.source of the draft: its message begins on the line from, which is not before the
 * last one given. */
void draft_source_name(struct draft_source *source, struct draft *draft, const struct line *from);

#endif
