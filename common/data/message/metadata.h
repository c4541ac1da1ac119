#ifndef MESSAGE_METADATA_H
#define MESSAGE_METADATA_H

/*
 * Writing metadata. Metadata goes into the object that a message has, under the name that the
 * object came with. A value of that name that is neither an object nor null is the user's own and
 * stays: metadata then goes under the other name. Where both names are taken, no metadata is
 * written. A null, and an empty array, which is PHP's empty object, is replaced.
 *
 *     {"metadata":{...}}                         into "metadata"
 *     {"metadata":"note"}                        as "_metadata", added
 *     {"metadata":"note","_metadata":{...}}      into "_metadata"
 *     {"_metadata":"note"}                       as "metadata", added
 *     {"metadata":"note","_metadata":"note"}     not at all
 */

#include "data/message/message.h"
#include "json/edit.h"

struct metadata_member {
	enum metadata_name name;
	struct str value; /* JSON */
};

/* Notes in edit, the edit of the message's record, that metadata gets the members of list. Their
 * values must live as long as edit. Returns false and notes nothing when both names are taken. */
bool metadata_set(struct json_edit *edit, const struct message *message,
    const struct metadata_member *list, unsigned count);

/* The same for a whole object, as JSON, which becomes the metadata of a message that has none. */
bool metadata_add(struct json_edit *edit, const struct message *message, struct str object);

#endif
