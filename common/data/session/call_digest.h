#ifndef SESSION_CALL_DIGEST_H
#define SESSION_CALL_DIGEST_H

/*
 * The digest of a call: 128 bits of the name of its tool and of its arguments as canonical JSON
 * (hash_lasting of base/hash/hash.h). Calls with the same key have the same digest in every run.
 * An author of a transcript can find two calls with the same digest, but can as well write
 * metadata.call_keys.
 *
 * A compaction that shortens the arguments of a call writes the digest to metadata.call_keys, so
 * that later attempts of the same call are still recognized.
 */

#include "base/buf.h"
#include "data/message/message.h"
#include "data/tool/tool_arguments.h"

enum { CALL_DIGEST_LEN = 32 };

/* Appends the digest of a call as CALL_DIGEST_LEN hexadecimal digits. */
void call_digest_of(struct str name, struct json_value arguments, struct buf *buf);

/* The same in two steps. Appends the text of the arguments: canonical JSON, or the arguments as
 * they are given if they are no object. */
void call_digest_text(
    const struct tool_arguments *arguments, struct buf *text, struct arena *scratch);

/* Appends the digest for that text. */
void call_digest_write(struct str name, struct str text, struct buf *buf);

/* The digest in metadata.call_keys for call number index, from 0; "" when there is none. */
struct str call_digest_noted(const struct message *message, uint32_t index);

#endif
