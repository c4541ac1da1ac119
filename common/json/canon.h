#ifndef JSON_CANON_H
#define JSON_CANON_H

/*
 * Canonical JSON. Members are sorted by decoded name, in byte order; repeated names keep their
 * order. There is no white space. Strings are escaped as json/write.h does. Numbers stay as they
 * are spelled. Two texts have the same canonical bytes when they differ only in the order of
 * members, in white space or in escapes.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash/hash.h"
#include "json/value.h"

/* Appends the canonical form of value to buf. The time is linear, and that of sorting the members.
 * Scratch memory comes from arena. */
void json_canon(struct json_value value, struct buf *buf, struct arena *arena);

/* Appends the value without white space between its tokens, and with its strings escaped as in
 * canonical JSON. Members keep their order, and numbers their spelling. */
void json_squeeze(struct json_value value, struct buf *buf);

/* The hash of the bytes that json_squeeze writes for value. spans are those of the text of value,
 * or NULL; with them, most values that are squeezed already are hashed without a copy. seed is that
 * of hash_bytes. The content of scratch is lost. */
struct hash json_squeezed_hash(
    struct json_value value, const struct json_spans *spans, struct hash seed, struct buf *scratch);

#endif
