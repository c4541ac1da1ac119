#ifndef FACTS_IDENTITY_H
#define FACTS_IDENTITY_H

/*
 * Whether a message that a filter changed is still the same one in the session.
 */

#include "base/str.h"

/* Whether both texts, of messages, have the same role, calls and answered call, and equal values
 * of the metadata by which compaction judges a message. Arguments may be others, but where there
 * was an object there must be one still. Linear in both texts. */
bool identity_is_kept(struct str before, struct str after);

#endif
