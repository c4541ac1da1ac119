#ifndef JSON_CANON_H
#define JSON_CANON_H

/*
 * Canonical JSON: members sorted by decoded name (byte order, the order of repeated names kept),
 * white space gone, strings decoded and escaped as json/write.h does, numbers as they are spelled.
 * Two texts that differ in nothing else have equal canonical bytes.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "json/value.h"

/* Appends value's canonical form to buf, in linear time but for the sort; scratch memory comes from
 * arena. */
void json_canon(struct json_value value, struct buf *buf, struct arena *arena);

#endif
