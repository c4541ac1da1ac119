#ifndef DIALECTS_TEXT_PART_H
#define DIALECTS_TEXT_PART_H

/*
 * Content parts that hold a text and nothing else, as both APIs spell them.
 */

#include "base/buf.h"
#include "data/part.h"

/* Appends {"type":"text","text":string}. */
void text_part_add(struct buf *buf, struct json_value string);

/* Appends a part that says "[type]", in the place of one that has none: by its type or, where it
 * has no type, by its first member. Nothing is appended for a part that is no object or empty. */
void text_part_add_name(struct buf *buf, const struct part *part);

/* The text of a part of kind text or refusal, under whatever name it stands; or absent. */
struct json_value text_part_find(const struct part *part);

/* The string of a part that text_part_add appended. */
struct str text_part_string(struct str part);

#endif
