#ifndef SESSION_CALL_DIGEST_H
#define SESSION_CALL_DIGEST_H

/*
 * The digest of a call: BLAKE2b of 128 bits over the name of its tool and its arguments as
 * canonical JSON. Calls of one key have one digest, in every run of every program. A compaction
 * that shortens the arguments of a call notes the digest in metadata.call_keys, by which later
 * attempts of the same call are still known.
 */

#include "base/buf.h"
#include "data/message/message.h"

enum { CALL_DIGEST_LEN = 32 };

/* Appends the digest as so many hexadecimal digits. */
void call_digest_write(struct str name, struct json_value arguments, struct buf *buf);

/* The digest that the message notes of its call number index, from 0. "" when it notes none. */
struct str call_digest_noted(const struct message *message, uint32_t index);

#endif
