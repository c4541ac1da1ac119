#ifndef DIALECTS_UNREAD_H
#define DIALECTS_UNREAD_H

/*
 * The stage behind a reader: nothing that may be part of a conversation goes on unnoticed because
 * no reader understood it. A message whose content stands in no member that is known is a foreign
 * record from here on; it and every foreign record that has a role or a message is found. Other
 * foreign records are counted by their type. All of them go on in their places.
 */

#include "data/stage.h"
#include "dialects/tally.h"

struct unread_finding {
	const char *file;
	size_t line;
	bool is_message;        /* of a role, but of an unknown shape */
	const char *looks_like; /* a format, or NULL */
};

struct unread {
	struct stage stage;
	uint64_t messages; /* that went on */
	uint64_t found;
	struct buf findings; /* since the command read the last ones */
	struct tally passed; /* foreign records that were not found */
	struct message message;
};

/* Whether a record that is no message has a role, a message, or a list of messages that has
 * none. */
bool unread_speaks(struct json_value record);

void unread_init(struct unread *unread);

/* The next finding from at (0 is the first) on; false at the end, when the list is emptied. */
bool unread_next(struct unread *unread, size_t *at, struct unread_finding *finding);

void unread_free(struct unread *unread);

#endif
