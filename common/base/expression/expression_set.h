#ifndef EXPRESSION_EXPRESSION_SET_H
#define EXPRESSION_EXPRESSION_SET_H

/*
 * A set of bytes, as an expression (base/expression/expression.h) has them: [a-z[:digit:]].
 */

#include <stdbool.h>
#include <stdint.h>

struct expression_set {
	uint64_t bits[4];
};

/* Reads a set from *at on, behind its "[", and sets *at behind its "]". Returns false, with a
 * phrase, when it is malformed. */
bool expression_set_parse(struct expression_set *set, const char **at, const char **phrase);

static inline bool
expression_set_has(const struct expression_set *set, unsigned char byte)
{
	return (set->bits[byte / 64] >> byte % 64 & 1) != 0;
}

static inline void
expression_set_add(struct expression_set *set, unsigned char byte)
{
	set->bits[byte / 64] |= UINT64_C(1) << byte % 64;
}

static inline void
expression_set_negate(struct expression_set *set)
{
	for (unsigned i = 0; i < 4; i++)
		set->bits[i] = ~set->bits[i];
}

#endif
