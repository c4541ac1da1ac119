#ifndef PIECES_PIECE_KEY_H
#define PIECES_PIECE_KEY_H

/*
 * A short piece of text as numbers, and their hash, for tables of pieces. The counts of recent
 * pieces (piece_counts.c) and the frequent tokens of a vocabulary (FRONT_TINY and FRONT_SHORT of
 * vocabulary_format.h) are such tables.
 *
 *     tiny     7 bytes of text, zeros after it | length      8 bytes
 *     short    15 bytes of text, zeros after it | length    16 bytes
 *
 * The length is less than 16, so that the upper four bits of a key are 0.
 */

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/wide.h"

#define PIECE_TINY_LEN 7
#define PIECE_SHORT_LEN 15

struct piece_key {
	uint64_t head, tail;
};

/* Eight bytes as a number whose lowest byte is the first. */
static inline uint64_t
piece_load(const char *ptr)
{
	uint64_t word;

	memcpy(&word, ptr, sizeof(word));
	return le64toh(word);
}

/* By length of a short piece: masks that keep its bytes of the 16 bytes read. */
static const uint64_t piece_head_masks[PIECE_SHORT_LEN + 1] = {0, 0xff, 0xffff, 0xffffff,
    0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff, UINT64_MAX, UINT64_MAX, UINT64_MAX,
    UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
static const uint64_t piece_tail_masks[PIECE_SHORT_LEN + 1] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff,
    0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff};

/* The key of a piece of 1 to PIECE_TINY_LEN bytes. 8 bytes from ptr are readable. */
static inline uint64_t
piece_tiny_key(const char *ptr, size_t len)
{
	return (piece_load(ptr) & piece_head_masks[len]) | (uint64_t)len << 56;
}

/* The place of a tiny piece in a table of 1 << bits entries. */
static inline size_t
piece_tiny_place(uint64_t key, unsigned bits)
{
	return (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - bits));
}

/* The key of a piece of 8 to PIECE_SHORT_LEN bytes. 16 bytes from ptr are readable. */
static inline struct piece_key
piece_short_key(const char *ptr, size_t len)
{
	uint64_t tail = piece_load(ptr + 8) & piece_tail_masks[len];

	return (struct piece_key){piece_load(ptr), tail | (uint64_t)len << 56};
}

/* The same as piece_tiny_place, for a short piece. */
static inline size_t
piece_short_place(struct piece_key key, unsigned bits)
{
	uint64_t hash = wide_fold(key.head ^ 0x9e3779b97f4a7c15u, key.tail ^ 0xe7037ed1a0b428dbu);

	return (size_t)(hash & (((uint64_t)1 << bits) - 1));
}

#endif
