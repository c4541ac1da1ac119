#ifndef TOKENS_LOWER_BOUND_H
#define TOKENS_LOWER_BOUND_H

/*
 * A lower bound of tokens that takes a small part of the time of counting.
 *
 * It counts places of two kinds: a visible ASCII byte after a space, and an ASCII letter after
 * ASCII punctuation other than an apostrophe. Both patterns (tokens/pieces/split.h) begin a piece
 * at such a place, or at the byte before the place. No piece has two such places: a space can only
 * be the first byte of a piece with visible bytes, and the letters of a piece are next to each
 * other, except in a contraction, which has an apostrophe. So a text has at least as many pieces as
 * places, and each piece has at least one token.
 *
 * In JSON the places are the same if a backslash does not count as a visible byte. Then no byte of
 * a place is part of an escape, except the last byte of \" and \/, which is also the decoded byte.
 */

#include "base/str.h"

/* Whether a text certainly has at least count tokens. json is the text itself, or the inner text of
 * a JSON string, not decoded. */
bool lower_bound_reach(struct str json, size_t count);

#endif
