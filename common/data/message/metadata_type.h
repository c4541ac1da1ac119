#ifndef MESSAGE_METADATA_TYPE_H
#define MESSAGE_METADATA_TYPE_H

/*
 * The types of the members of metadata that are read: what ctx-message(5) says of each name. A
 * member of any other name is the user's own, and of any type.
 */

#include "base/str.h"
#include "json/value.h"

/* Returns NULL when the value may stand in the member of that name, or a phrase that says what may.
 * null may not, but as a parent_id: it says nothing, as if there were no member. */
const char *metadata_type_expected(struct str name, struct json_value value);

#endif
