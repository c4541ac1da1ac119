#ifndef MESSAGE_METADATA_H
#define MESSAGE_METADATA_H

/*
 * Writing metadata. When the message has a metadata object, new members are added to that object,
 * whether its name is "metadata" or "_metadata". A name whose value is no object belongs to the
 * user and keeps its value: metadata then goes under the other name. When both names are taken, no
 * metadata is written. Null, and an empty array (an empty object of PHP), is replaced.
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

/* The same for a message without metadata, which gets the whole object; object is JSON. */
bool metadata_add(struct json_edit *edit, const struct message *message, struct str object);

#endif
