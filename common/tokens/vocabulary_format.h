#ifndef TOKENS_VOCABULARY_FORMAT_H
#define TOKENS_VOCABULARY_FORMAT_H

/*
 * The compiled vocabulary: a file that is mapped and used as it is, without parsing. Numbers are
 * little-endian. tokens/vocab/ writes the file, tokens/vocabulary.h reads it.
 *
 *     header       one page, checksummed with its section table
 *     FRONT_TINY   hash table: the keys of frequent tokens of at most 7 bytes, or 0
 *     FRONT_SHORT  the same for tokens of 8 to 15 bytes; tokens/pieces/piece_key.h draws the keys
 *     SPLITS       token -> the two tokens whose merge makes it    left | right << 32
 *     TOKENS       token -> longest token that is a proper prefix of it | its length << 24
 *     BYTE_PAIRS   two bytes -> token, or VOCABULARY_NONE
 *     PAIRS        hash table: (left, right) -> token, the inverse of SPLITS
 *     PAIR_FILTER  a bit by hash: 0 when (left, right) is certainly not in PAIRS
 *     TRIE         double array: bytes -> node, and whether a token ends there
 *     TRIE_TOKENS  node -> token
 *     WIDE         code point of three bytes -> the cell of TRIE that its bytes lead to, or 0, and
 *                  the token that ends there
 *     WIDE_PAIRS   a bit: 0 when two such code points are not neighbours in any token
 *
 * The number of a token is its rank; tokens of lower rank are merged earlier. Every token in a
 * table is less than token_count. The number of entries of SPLITS and of TOKENS is a power of two.
 * So a token that is masked with that power minus one never leads outside. Sections start on pages.
 */

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>

#define VOCABULARY_MAGIC "ctxvocab"
#define VOCABULARY_FORMAT 2u
#define VOCABULARY_ENDIAN 0x01020304u
#define VOCABULARY_PAGE 4096u
#define VOCABULARY_NONE UINT32_MAX
#define VOCABULARY_LEN_MAX 128u /* bytes of the longest token */
#define VOCABULARY_ID_BITS 20
#define VOCABULARY_ID_MASK ((1u << VOCABULARY_ID_BITS) - 1)

enum vocabulary_section {
	VOCABULARY_FRONT_TINY,
	VOCABULARY_FRONT_SHORT,
	VOCABULARY_SPLITS,
	VOCABULARY_TOKENS,
	VOCABULARY_BYTE_PAIRS,
	VOCABULARY_PAIRS,
	VOCABULARY_PAIR_FILTER,
	VOCABULARY_TRIE,
	VOCABULARY_TRIE_TOKENS,
	VOCABULARY_WIDE,
	VOCABULARY_WIDE_PAIRS,
	VOCABULARY_SECTION_COUNT,
};

struct vocabulary_header {
	char magic[8];
	uint32_t format;
	uint32_t endian;
	uint64_t file_len;
	uint64_t header_sum;  /* the checksum of the header's page, with header_sum as 0 */
	uint64_t content_sum; /* the checksum of all bytes after that page */
	char encoding[16];
	char unicode[16];
	char source_sha256[64]; /* SHA-256 of the published rank file, in hexadecimal */
	uint32_t pattern;       /* enum split_pattern */
	uint32_t token_count;
	uint32_t token_cap; /* entries of SPLITS and TOKENS */
	uint32_t trie_root;
	uint32_t byte_tokens[256];
	struct {
		uint64_t offset;
		uint64_t len;
	} sections[VOCABULARY_SECTION_COUNT];
};

/*
 * Most pieces of a text are frequent tokens. The tables of these are small and dense, so that a
 * short text needs few pages of the file. A place has the most frequent of the tokens with its
 * hash; the other tokens are found in TRIE.
 */
#define VOCABULARY_TINY_BITS 15
#define VOCABULARY_SHORT_BITS 13

/* A cell of PAIRS that is 0 is free. A bucket of cells is a cache line and overflows into the next
 * bucket. */
#define VOCABULARY_BUCKET 8
#define VOCABULARY_PROBE_MAX 16

static inline uint64_t
vocabulary_pair_key(uint32_t left, uint32_t right)
{
	return (uint64_t)left << VOCABULARY_ID_BITS | right;
}

static inline uint64_t
vocabulary_pair_hash(uint64_t key)
{
	key *= 0x9e3779b97f4a7c15u;
	return (key ^ key >> 32) * 0xd6e8feb86659fd93u;
}

/* Maps the upper half of a hash to 0 .. count - 1. */
static inline uint32_t
vocabulary_bucket(uint64_t hash, uint32_t count)
{
	return (uint32_t)((hash >> 32) * count >> 32);
}

/*
 * A cell of TRIE. The child of a node by a byte is the cell at base ^ byte, if that cell is
 * labelled with the byte. No two nodes have the same base.
 *
 *     63        32 31      10   9   8        0
 *                 |   base   | end | byte + 1 |      end: a token ends here
 *     | token + 1 |   base   | end | byte + 1 |      in WIDE; token + 1: 0 where none ends
 */
#define VOCABULARY_LABEL_BITS 9
#define VOCABULARY_LABEL_MASK ((1u << VOCABULARY_LABEL_BITS) - 1)
#define VOCABULARY_END (1u << VOCABULARY_LABEL_BITS)
#define VOCABULARY_BASE_SHIFT (VOCABULARY_LABEL_BITS + 1)

static inline uint32_t
vocabulary_cell_base(uint32_t cell)
{
	return cell >> VOCABULARY_BASE_SHIFT;
}

/*
 * Code points of three bytes, called wide here, are those of Asian scripts. Few pairs of them are
 * neighbours in any token. Where a pair is not, a token ends between the two, and nothing merges
 * across. This holds for valid UTF-8.
 */
#define VOCABULARY_WIDE_COUNT (1u << 16)
#define VOCABULARY_WIDE_PAIR_BITS 18

static inline bool
vocabulary_is_wide(uint8_t first)
{
	return (first & 0xf0) == 0xe0;
}

static inline uint32_t
vocabulary_wide(const uint8_t *p)
{
	return (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
}

/* A token may start with the last byte of a wide code point, or with its last two bytes. The result
 * is used instead of that code point in WIDE_PAIRS. */
static inline uint32_t
vocabulary_wide_end(uint8_t last)
{
	return VOCABULARY_WIDE_COUNT | (last & 0x3fu);
}

/* The bit of WIDE_PAIRS for two code points, as given by vocabulary_wide or vocabulary_wide_end. */
static inline uint32_t
vocabulary_wide_pair_bit(uint32_t left, uint32_t right)
{
	return (uint32_t)(((uint64_t)left << 16 | right) * 0x9e3779b97f4a7c15u >>
	    (64 - VOCABULARY_WIDE_PAIR_BITS));
}

/* A checksum over the whole words of a file. It finds accidents, not forgery. */
static inline uint64_t
vocabulary_sum(const void *ptr, uint64_t len)
{
	const uint64_t *words = ptr;
	uint64_t sum = len;

	for (uint64_t i = 0; i < len / 8; i++)
		sum = ((sum << 29 | sum >> 35) ^ le64toh(words[i])) * 0x9e3779b97f4a7c15u;
	return sum;
}

#endif
