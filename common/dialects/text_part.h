#ifndef DIALECTS_TEXT_PART_H
#define DIALECTS_TEXT_PART_H

/*
 * Content parts that hold a text and nothing else, as both APIs spell them.
 */

#include "base/buf.h"
#include "json/value.h"

/* Appends {"type":"text","text":string}. */
void text_part_add(struct buf *buf, struct json_value string);

/* Appends a part that says "[type]", for one of a type (a string) that has no place. */
void text_part_add_name(struct buf *buf, struct json_value type);

/* The string of a part that text_part_add appended. */
struct str text_part_string(struct str part);

#endif
