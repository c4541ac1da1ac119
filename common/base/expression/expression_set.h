#ifndef EXPRESSION_EXPRESSION_SET_H
#define EXPRESSION_EXPRESSION_SET_H

/*
 * A set of bytes in an expression (base/expression/expression.h), such as [a-z[:digit:]].
 */

#include <stdbool.h>
#include <stdint.h>

struct expression_set {
	uint64_t bits[4];
};

/* Reads a set. *at is the byte after its "["; it is moved to the byte after its "]". Returns false,
 * with *phrase set to what is wrong, when the set is malformed. */
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
