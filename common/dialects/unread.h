#ifndef DIALECTS_UNREAD_H
#define DIALECTS_UNREAD_H

/*
 * The stage after a reader. It reports every record that may be part of a conversation but that no
 * reader understood. A message whose content is in no known member becomes a foreign record and a
 * finding. So is a foreign record that may be part of a conversation (unread_speaks), or whose
 * messages no reader took out. In the session file of an agent, a record with words as its own text
 * or content is a finding as well, because no member says whose words they are. Other foreign
 * records are counted by their type. All records go on in their places.
 */

#include "data/stage.h"
#include "dialects/dialect.h"
#include "dialects/tally.h"

struct unread_finding {
	const char *file;
	size_t line;
	bool is_message;        /* a message by its role, but of unknown shape */
	const char *looks_like; /* the name of the format that it resembles, or NULL */
};

struct unread {
	struct stage stage;
	const struct dialect_reading *reading; /* of the reader before; the caller owns it */
	uint64_t messages;                     /* messages that passed as messages */
	/* the format of the first finding that resembles one that is read */
	const char *looks_like;
	struct buf findings; /* findings that the command has not yet taken */
	/* Foreign records that are no findings, by type. The caller owns the tally. */
	struct tally *passed;
};

/* Whether a record that is no message may be part of a conversation: it has a role, a message, the
 * type message or gemini, the type of a call or of its result, an info or llm_message with a role,
 * a payload that is an item or has a text, an input or output with an item, a messageStore,
 * conversations, an id and a timestamp beside a content, parts, toolCalls, a summary or
 * such data, or a list
 * named messages that is not empty and in which no element has a role; or it is a list with such an
 * element. An item has a role, or is a call or a result by its type. */
bool unread_speaks(struct json_value record);

/* Whether the value is a list with an element that has a role, or has such a list named
 * messages. */
bool unread_has_message(struct json_value value);

void unread_init(
    struct unread *unread, const struct dialect_reading *reading, struct tally *passed);

/* Reads the finding at *at (0 is the first) and advances *at. Returns false at the end and empties
 * the list. */
bool unread_next(struct unread *unread, size_t *at, struct unread_finding *finding);

void unread_free(struct unread *unread);

#endif
