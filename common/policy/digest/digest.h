#ifndef POLICY_DIGEST_DIGEST_H
#define POLICY_DIGEST_DIGEST_H

/*
 * The text of an artifact, made without a model: its sections (policy/digest/section.h), in their
 * order.
 */

#include "policy/digest/gather.h"

/* Appends the lines, each after a line feed, and notes how many of them are the outline's or
 * symbols. room is in bytes and holds about; rules is the room of rules, whose lines take of the
 * other room what it has. */
void digest_write(
    struct gather *gather, const struct facts *facts, size_t room, size_t rules, struct buf *text);

#endif
