#ifndef POLICY_COMPACT_ALIGN_H
#define POLICY_COMPACT_ALIGN_H

/*
 * Which message of a filter's output is which message of its input.
 *
 *     in     a   b   c   d   e   f
 *            |       |       |   |
 *     out    a  new  c'      e   f      b and d were dropped, c was changed
 *
 * If the output has as many messages as the input, each is matched with the message at the same
 * place, provided that each is equal to that message, or has its role and id and is equal to no
 * message of the input. Else the output is read from the last message to the first. A message that
 * is equal to one of the input as a JSON value is that one; of several equal ones it is the last
 * that the order allows, since filters take from the front. Else a message with the same
 * metadata.id, or with the id of the same call, is a changed one. What is left and has a
 * metadata.kind is new. What is left without a kind is the last message of its role that is left of
 * the input between both neighbours.
 *
 * Numbers are equal by their value, so that 1.0 may come back as 1. The time is linear.
 */

#include "base/arena.h"
#include "data/message/message.h"

enum { ALIGN_NONE = UINT32_MAX };

struct align_record {
	struct str text; /* the JSON of a message, with JSON_PADDING readable bytes behind it */
	uint32_t match;  /* the number of the record on the other side, or ALIGN_NONE */
	bool is_equal;   /* to that one */
	bool is_moved;   /* of the output: the match comes after the match of a later one */
	bool has_kind; /* of the output: with ALIGN_NONE it is new; without a kind it is unknown */
	bool has_id;   /* from here on used within the module */
	uint8_t role;
	struct hash value;
	struct hash id;
	uint32_t same_value; /* an earlier record of the input with that hash, or ALIGN_NONE */
	uint32_t same_id;
};

/* Appends the canonical text of the value: equal values have the same text, others do not. An
 * absent value appends nothing. Scratch memory comes from arena. */
void align_canon(struct json_value value, struct buf *text, struct arena *arena);

/* Sets all members of the records but text. The output is read from its end: after a record that is
 * unknown, all records between the same two matched neighbours are unknown, too. */
void align_run(
    struct align_record *in, uint32_t in_count, struct align_record *out, uint32_t out_count);

#endif
