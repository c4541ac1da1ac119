#ifndef PARTS_TEXT_PART_H
#define PARTS_TEXT_PART_H

/*
 * Content parts that hold a text and nothing else, as both APIs spell them.
 */

#include "base/buf.h"
#include "data/message/message.h"
#include "data/message/part.h"
#include "dialects/tally.h"

/* Appends {"type":"text","text":string}. */
void text_part_add(struct buf *buf, struct json_value string);

/* Counts a part that is lost in dropped, by its type or, without a type, by the name of its first
 * member. A part that is no object is not counted. */
void text_part_drop(const struct part *part, struct tally *dropped);

/* The same for a part that cannot be written: a text part "[NAME]" is appended in its place.
 * Nothing is appended for a part that is empty or no object. */
void text_part_add_name(struct buf *buf, const struct part *part, struct tally *dropped);

/* Counts a message of which nothing is left: by the names of content in its metadata, as
 * "metadata.NAME"; or as "message", if nothing of it was counted yet. counted is the sum of dropped
 * before the message. */
void text_part_drop_message(const struct message *message, uint64_t counted, struct tally *dropped);

/* The text of a part, whatever its member is called. Absent when the part has none. */
struct json_value text_part_find(const struct part *part);

/* The string of a part that has the type text, a text, and nothing else: text_part_add makes the
 * same part of it. Absent for any other part. */
struct json_value text_part_only(struct json_value part);

/* The content of the message; if a result has text beside its content (message_other_text), with
 * that text as a further part. A content that is made lies in buf. */
struct json_value text_part_join(const struct message *message, struct buf *buf);

/* The string in a part that text_part_add appended, quotes included. */
struct str text_part_string(struct str part);

#endif
