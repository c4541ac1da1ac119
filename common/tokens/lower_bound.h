#ifndef TOKENS_LOWER_BOUND_H
#define TOKENS_LOWER_BOUND_H

/*
 * A lower bound of tokens that takes a small part of the time of counting.
 *
 * Both patterns (tokens/pieces/split.h) begin a piece at a visible ASCII byte behind a space, or at
 * that space; and at an ASCII letter behind other ASCII punctuation, or at that. No piece has two
 * such places: what is behind a space stands with that space in front of its piece, and in any
 * piece letters stand together, but for a contraction, which is behind an apostrophe. So a text has
 * as many pieces as such places, the apostrophe aside, and each piece has a token.
 *
 * In JSON the places are the same when a backslash is none of the visible bytes: then neither byte
 * of a place is of an escape, but the last one of \" and \/, which stands for itself.
 */

#include "base/str.h"

/* Whether a text certainly has at least count tokens. json is the text, or the inner text of a JSON
 * string, which need not be decoded. */
bool lower_bound_reach(struct str json, size_t count);

#endif
