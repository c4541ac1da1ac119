#ifndef SESSION_CALL_DIGEST_H
#define SESSION_CALL_DIGEST_H

/*
 * The digest of a call: BLAKE2b of 128 bits over the name of its tool and its arguments as
 * canonical JSON. Calls with the same key have the same digest, in every run of every program. A
 * compaction that shortens the arguments of a call writes the digest to metadata.call_keys, so that
 * later attempts of the same call are still recognized.
 */

#include "base/buf.h"
#include "data/message/message.h"

enum { CALL_DIGEST_LEN = 32 };

/* Appends the digest as CALL_DIGEST_LEN hexadecimal digits. */
void call_digest_write(struct str name, struct json_value arguments, struct buf *buf);

/* The digest in metadata.call_keys for call number index, from 0; "" when there is none. */
struct str call_digest_noted(const struct message *message, uint32_t index);

#endif
