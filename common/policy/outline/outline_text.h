#ifndef POLICY_OUTLINE_OUTLINE_TEXT_H
#define POLICY_OUTLINE_OUTLINE_TEXT_H

/*
 * The text of an outline: the best of its lines, in their order.
 */

#include "json/write.h"
#include "policy/outline/outline.h"

/* Appends the chosen lines, each after a line feed, in at most room bytes; returns how many. The
 * rules (policy/outline/outline_told.h) are left out. */
uint32_t outline_text_write(
    struct outline *outline, const struct map *rules, size_t room, struct buf *text);

/* Writes the member "behind" into an open object, if any of these lines follows a message that
 * stays (policy/outline/outline_earlier.h). */
void outline_text_write_behind(const struct outline *outline, struct json_writer *w);

#endif
