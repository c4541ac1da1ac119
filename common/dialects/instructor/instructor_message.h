#ifndef INSTRUCTOR_INSTRUCTOR_MESSAGE_H
#define INSTRUCTOR_INSTRUCTOR_MESSAGE_H

/*
 * One message, between a store of instructor and the canonical stream. All commands read the
 * messages of instructor as they are (ctx-message(5)), so a message keeps its bytes. Only its place
 * in the store is added to its metadata, and taken out again by the writer:
 *
 *     "section"        the section of the store
 *     "label"          the label that a storage file gives the message
 *     "session_id"     the id of the storage file's session
 *     "x_instructor"   members that the writer restores in the message:
 *         "section"        the value that metadata had under this name
 *         "metadata"       the value of a member _metadata that is no object
 *         "verbatim"       the message came in a spelling other than instructor's
 */

#include "data/message/message.h"
#include "dialects/tally.h"
#include "json/edit.h"

/* The place of a message in a store. All values are JSON, or absent. */
struct instructor_message_place {
	struct json_value section; /* a string; absent: messages */
	struct json_value label;
	struct json_value session; /* the id of a storage file's session */
	struct json_value id; /* of the line around the message; for a message without its own */
	struct json_value parent_id;
	struct json_value timestamp;
	bool many; /* the store has other sections than messages */
};

/* Adds its place to edit, the edit of the message's text. Returns false when the message's own
 * metadata has a label, which stays. */
bool instructor_message_read(struct json_edit *edit, const struct message *message,
    const struct instructor_message_place *place);

/* Appends the message as a store of instructor takes it. session is the id of a storage file's
 * session, which the message need not name; or absent. Returns false and appends nothing when
 * nothing is left of it. dropped counts the parts that are lost. */
bool instructor_message_write(const struct message *message, struct json_value session,
    struct buf *buf, struct tally *dropped);

/* Whether the message nests so deep that it cannot be read with that many levels around it. */
bool instructor_message_is_too_deep(struct json_value value, unsigned levels);

#endif
