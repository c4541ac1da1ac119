#ifndef MESSAGE_SOURCE_RECORD_H
#define MESSAGE_SOURCE_RECORD_H

/*
 * The record that says which bytes of an agent's file the messages before it were made of; each of
 * these says its line, as metadata.source:
 *
 *     {"type":"source","format":"codex","bytes":81920,"sum":"0f…"}
 *
 * bytes are those that were read of the file, from its first one on, and sum is theirs
 * (base/hash/sum.h). A record of that type with other values is a foreign one.
 */

#include "base/buf.h"
#include "base/hash/sum.h"
#include "json/value.h"

/* Whether the object, whose type is source, is such a record. */
bool source_record_is(struct json_value object);

/* Whether metadata.source is what a reader writes: the number of a line, or a string LINE.K, of the
 * message with that number, from 2, of those that begin on the line. */
bool source_record_is_line(struct json_value source);

/* Appends the record of a file of that format. */
void source_record_write(struct buf *buf, const char *format, const struct sum *sum);

#endif
