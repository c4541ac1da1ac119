#ifndef POLICY_DIGEST_DIGEST_H
#define POLICY_DIGEST_DIGEST_H

/*
 * The text of the built-in digest, made without a model. Its sections stand in this order; each has
 * a share of the room, and the outline gets what the others leave:
 *
 *     constraints   0.75     what forbids or obliges, verbatim; what should be, 0.5; all of the
 *                            room beside the text of a command
 *     instructions  0.125    what instruction files of the project that were read forbid or oblige
 *     summary                the text of a command, whole, in no share of the room; or
 *                  0.2       that of the artifact before
 *     goal                   the start of the first request, and of the newest one
 *     facts         0.25     files, failures still open, which double the share, attempts
 *     checks        0.1      what was built or tested last
 *     outline       rest     what happened, in order
 *
 * Where symbols are gathered, they stand in place of goal, checks and outline: the newest for which
 * there is room, in their order, below a line that counts the messages without one. Those of a
 * command are all there, in no share of the room.
 *
 * Where constraints take more than a quarter, the others have their shares of 4/3 of what is left.
 *
 * The checks that it shows stand in the facts too, so that the next digest takes them over. Of the
 * outline and of symbols, which are the last lines, the facts have the count.
 */

#include "policy/digest/gather.h"

struct digest_shown {
	uint32_t checks, earlier, symbols, outline; /* outline: lines of text */
};

/* Appends the lines, each after a line feed. room is in bytes and holds about. */
void digest_write(struct gather *gather, const struct facts *facts, size_t room,
    struct digest_shown *shown, struct buf *text);

/* Writes the members of what was shown into an open object. */
void digest_write_facts(
    const struct gather *gather, const struct digest_shown *shown, struct json_writer *w);

#endif
