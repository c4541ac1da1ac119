#ifndef SECRET_SHAPES_H
#define SECRET_SHAPES_H

/*
 * The table of token shapes: what the tokens of vendors look like, by what the vendors publish. A
 * token is a prefix and a body: bytes of one alphabet, as many as the row says, and no further byte
 * of the alphabet after them.
 */

#include "policy/secret/alphabet.h"
#include "base/str.h"

/* What a body must be besides. Each has a variety of bytes: "xxxx" is nobody's secret. */
enum shape_check {
	SHAPE_ANY,
	SHAPE_TWO,   /* it has two of digits, small and capital letters */
	SHAPE_MIXED, /* it has all three, or often changes between two of them */
	SHAPE_CRC62, /* it ends in its checksum in base 62, or is SHAPE_MIXED */
};

struct shape {
	struct str name; /* of the rule */
	struct str prefix;
	enum alphabet alphabet;
	unsigned min, max; /* bytes of the body; a max of 0 is no limit */
	enum shape_check check;
	/* Bytes before the prefix that belong to the token; with lead_most 0 there are none. */
	enum alphabet lead;
	unsigned lead_least, lead_most;
};

enum { SHAPES_MAX = 512 };

extern const struct shape shapes[];
extern const unsigned shape_count;

#endif
