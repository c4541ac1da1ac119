#ifndef DATA_METADATA_H
#define DATA_METADATA_H

/*
 * Writing one member of a message's metadata, under the spelling that it came with.
 */

#include "data/message.h"
#include "json/edit.h"

/* Lets edit, which is of message's record, set the member to value (JSON that lives as long as the
 * edit): in the metadata that is there, or in a new one. */
void metadata_set(struct json_edit *edit, const struct message *message, enum metadata_name name,
    struct str value);

#endif
