#ifndef JSON_CANON_H
#define JSON_CANON_H

/*
 * Canonical JSON. Members are sorted by decoded name, in byte order; repeated names keep their
 * order. There is no white space. Strings are escaped as json/write.h does. Numbers stay as they
 * are spelled. Two texts that differ only in what this removes have equal canonical bytes.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash/hash.h"
#include "json/value.h"

/* Appends the canonical form of value to buf. Takes linear time and the time of sorting. Scratch
 * memory comes from arena. */
void json_canon(struct json_value value, struct buf *buf, struct arena *arena);

/* Appends the value without the white space between its tokens, and with its strings escaped as in
 * canonical JSON; all else as it is spelled. */
void json_squeeze(struct json_value value, struct buf *buf);

/* A hash that two values have in common when json_squeeze makes the same of both. spans are those
 * of the text, or NULL: they tell most values that are squeezed already. seed is that of
 * hash_bytes; what scratch holds is lost. */
struct hash json_squeezed_hash(
    struct json_value value, const struct json_spans *spans, struct hash seed, struct buf *scratch);

#endif
