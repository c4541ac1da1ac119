#ifndef CTX_ROUTE_METADATA_MEMBER_H
#define CTX_ROUTE_METADATA_MEMBER_H

/* Members of an object that options set. A member that already has the value, in any spelling,
 * stays. */

#include "json/edit.h"

/* Adds an edit that gives the object the member; none when the object has the member with the same
 * value, apart from white space and escapes. Of several members of that name, one is left. name is
 * decoded text; json, the value without white space, must live as long as edit. If json is empty,
 * every member of that name is removed. */
void metadata_member_put(
    struct json_edit *edit, struct json_value object, struct str name, struct str json);

#endif
