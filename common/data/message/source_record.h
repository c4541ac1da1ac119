#ifndef MESSAGE_SOURCE_RECORD_H
#define MESSAGE_SOURCE_RECORD_H

/*
 * The record that says which bytes of an agent's file a reader has read, to make the messages
 * before this record. Each of these messages has the number of its line in metadata.source:
 *
 *     {"type":"source","format":"codex","bytes":81920,"sum":"0f…"}
 *
 * "bytes" is the number of bytes that were read, from the first one of the file on; "sum" is the
 * sum of these bytes (base/hash/sum.h). A record of that type with other values is a foreign
 * record.
 */

#include "base/buf.h"
#include "base/hash/sum.h"
#include "json/value.h"

/* Whether the object, whose type is source, is such a record. */
bool source_record_is(struct json_value object);

/* Whether metadata.source has a form that a reader writes: the number of a line for its first
 * message, or a string LINE.K, with K from 2, for a further message that begins on the line. */
bool source_record_is_line(struct json_value source);

/* Appends the record for a file in that format. */
void source_record_write(struct buf *buf, const char *format, const struct sum *sum);

#endif
