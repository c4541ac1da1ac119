#ifndef MESSAGE_METADATA_TYPE_H
#define MESSAGE_METADATA_TYPE_H

/*
 * The types of the members of metadata that are read, as in ctx-message(5). A member with any other
 * name belongs to the user, and may have any type.
 */

#include "base/str.h"
#include "json/value.h"

/* Returns NULL when the member with that name may have the value; otherwise a phrase that says
 * which values are expected. null is refused for all members but parent_id. */
const char *metadata_type_expected(struct str name, struct json_value value);

#endif
