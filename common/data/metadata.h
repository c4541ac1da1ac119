#ifndef DATA_METADATA_H
#define DATA_METADATA_H

/*
 * Writing metadata. It goes into the object that is there, under the spelling that it came with. A
 * value of that name that is no object is the user's own and stays: metadata then goes under the
 * other spelling, and where both are taken nowhere. A null says nothing, and gives its place.
 *
 *     {"metadata":{...}}                         into it
 *     {"metadata":"note"}                        as "_metadata", beside it
 *     {"metadata":"note","_metadata":{...}}      into "_metadata"
 *     {"_metadata":"note"}                       as "metadata"
 *     {"metadata":"note","_metadata":"note"}     not at all
 */

#include "data/message.h"
#include "json/edit.h"

struct metadata_member {
	enum metadata_name name;
	struct str value; /* JSON */
};

/* Lets edit, which is of message's record, set the members; their values must live as long as edit.
 * False, and edit as it was, when there is no place for them. */
bool metadata_set(struct json_edit *edit, const struct message *message,
    const struct metadata_member *list, unsigned count);

/* The same for an object (JSON) that becomes the metadata of a message that has none. */
bool metadata_add(struct json_edit *edit, const struct message *message, struct str object);

#endif
