#ifndef POLICY_NORMALIZE_TORN_H
#define POLICY_NORMALIZE_TORN_H

/*
 * A stage that mends torn lines. A program that dies while it writes a record leaves the start of a
 * line; the next record is then appended to the same line:
 *
 *     {"role":"user","content":"How de{"role":"user","content":"How deep is it?"}
 *     {"role":"user","content":"How de                  a bad line, as it came
 *     {"role":"user","content":"How deep is it?"}       a record, added
 *
 * The scanner (message.h) finds the place of the break: the second record begins near the first
 * byte that is not valid there. Its own line may be torn again. A bad line without a record at its
 * end stays.
 */

#include "data/stage.h"

struct torn {
	struct stage stage;
	struct message message; /* of the end of a line */
	uint64_t mended;        /* lines that had a record at their end */
};

void torn_init(struct torn *torn);

#endif
