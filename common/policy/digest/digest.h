#ifndef POLICY_DIGEST_DIGEST_H
#define POLICY_DIGEST_DIGEST_H

/*
 * The text of the built-in digest, made without a model. Its sections stand in this order; each has
 * a share of the room, and names get what the others leave:
 *
 *     constraints   0.75     what forbids or obliges, verbatim; what should be, 0.5; all of the
 *                            room beside the text of a command
 *     summary                the text of a command, whole, in no share of the room; or
 *                  0.2       that of the artifact before
 *     goal                   the start of the first request, and of the newest one
 *     users         0.3      the user's messages, whole up to 1,200 bytes, else 700 and 300
 *     decisions     0.2      the last three answers, 300 and 80 bytes
 *     facts         0.25     files, failures still open, which double the share, attempts
 *     checks        0.1      what was built or tested last
 *     used          0.1      with the text of a command: names that went and are still used
 *     names         rest     by last mention, newest first
 *     next                   the next step that the last answer named
 *
 * Where symbols are gathered, they stand in place of goal, users, decisions, checks, names and
 * next: the newest for which there is room, in their order, below a line that counts the messages
 * without one. Those of a command are all there, in no share of the room.
 *
 * Where constraints take more than a quarter, the others have their shares of 4/3 of what is left.
 *
 * What it shows of users, decisions, checks and names stands in the facts too, so that the next
 * digest takes it over. Of symbols, which are the last lines, the facts have the count.
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
