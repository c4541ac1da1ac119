#ifndef MESSAGE_TIMESTAMP_H
#define MESSAGE_TIMESTAMP_H

/*
 * Times in the metadata of messages, in the formats that agents write.
 */

#include "base/buf.h"
#include "json/value.h"

/* A timestamp in milliseconds since 1970. The timestamp is ISO 8601 text, or a number of seconds
 * or milliseconds. Returns -1 when it is neither. */
int64_t timestamp_read(struct json_value timestamp);

/* Appends the day of a time from timestamp_read, in UTC: 2026-11-23. Returns false, and appends
 * nothing, when ms is no such time. */
bool timestamp_add_day(int64_t ms, struct buf *buf);

#endif
