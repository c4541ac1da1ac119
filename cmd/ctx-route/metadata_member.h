#ifndef CTX_ROUTE_METADATA_MEMBER_H
#define CTX_ROUTE_METADATA_MEMBER_H

/* Members of an object that options give. What is there already, however it is spelled, stays. */

#include "json/edit.h"

/* Notes in edit that the object gets the member; nothing when the object has it with the same value
 * but for white space and escapes. Of several members of that name one is left. name is its text;
 * json, its value without white space, must live as long as edit. When json is empty, every member
 * of that name goes. */
void metadata_member_put(
    struct json_edit *edit, struct json_value object, struct str name, struct str json);

#endif
