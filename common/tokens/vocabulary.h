#ifndef TOKENS_VOCABULARY_H
#define TOKENS_VOCABULARY_H

/*
 * A compiled vocabulary, mapped read-only: its memory is the page cache's and shared by all who
 * count. vocabulary_format.h draws the file. The look-ups stay inside their sections and end, even
 * in a file whose content is damaged; what they find there is then as wrong as the file.
 *
 * NAME.vocab is looked for in the directories of $CTX_VOCAB_PATH (colon-separated), in
 * ../share/ctx beside the directory of the running program, and in datadir (tokens/datadir.h).
 */

#include <stdbool.h>
#include <sys/types.h>

#include "base/fault.h"
#include "tokens/split.h"
#include "tokens/vocabulary_format.h"

struct vocabulary {
	const struct vocabulary_header *header; /* the map */
	dev_t dev;                              /* which file it is of */
	ino_t ino;
	const uint64_t *splits;
	const uint32_t *tokens;
	const uint32_t *byte_pairs;
	const uint64_t *pairs;
	const uint64_t *filter;
	const uint64_t *trie;
	const uint64_t *wide;
	const uint64_t *wide_pairs;
	uint32_t token_mask;
	uint32_t bucket_count;
	uint32_t cell_count;
	uint64_t filter_mask;
};

/* Opens the vocabulary of the encoding, a name like "o200k_base". False with the fault set, which names
 * the file: of status 66 when it is missing or cannot be read, 71 when the system lacks memory, 78
 * when it is malformed or no regular file. Only the header is checked. */
bool vocabulary_open(struct vocabulary *vocabulary, const char *encoding, struct fault *fault);

/* Whether the content is as it was compiled; reads all of it. */
bool vocabulary_is_intact(const struct vocabulary *vocabulary);

void vocabulary_close(struct vocabulary *vocabulary);

/* For vocabulary_pair: the look-up in the table itself. */
uint32_t vocabulary_find_pair(const struct vocabulary *vocabulary, uint64_t key, uint64_t hash);

/* The token that is left and right, end to end, or VOCABULARY_NONE. */
static inline uint32_t
vocabulary_pair(const struct vocabulary *vocabulary, uint32_t left, uint32_t right)
{
	uint64_t key = vocabulary_pair_key(left, right);
	uint64_t hash = vocabulary_pair_hash(key);
	uint64_t bit = hash & vocabulary->filter_mask;

	if ((vocabulary->filter[bit / 64] >> bit % 64 & 1) == 0)
		return VOCABULARY_NONE;
	return vocabulary_find_pair(vocabulary, key, hash);
}

/* The token whose merge with the other side makes token; itself when it is a byte. */
static inline uint32_t
vocabulary_left(const struct vocabulary *vocabulary, uint32_t token)
{
	return (uint32_t)vocabulary->splits[token & vocabulary->token_mask];
}

static inline uint32_t
vocabulary_right(const struct vocabulary *vocabulary, uint32_t token)
{
	return (uint32_t)(vocabulary->splits[token & vocabulary->token_mask] >> 32);
}

/* The length of token in bytes. */
static inline unsigned
vocabulary_len(const struct vocabulary *vocabulary, uint32_t token)
{
	return vocabulary->tokens[token & vocabulary->token_mask] >> 24;
}

/* The longest token that is a proper prefix of token, VOCABULARY_ID_MASK when it is a byte. */
static inline uint32_t
vocabulary_prefix(const struct vocabulary *vocabulary, uint32_t token)
{
	return vocabulary->tokens[token & vocabulary->token_mask] & VOCABULARY_ID_MASK;
}

static inline bool
vocabulary_has_wide_pair(const struct vocabulary *vocabulary, uint32_t left, uint32_t right)
{
	uint32_t bit = vocabulary_wide_pair_bit(left, right);

	return vocabulary->wide_pairs[bit / 64] >> bit % 64 & 1;
}

/* Whether surely no token reaches across p, a place in the text from start to end. */
static inline bool
vocabulary_parts_at(const struct vocabulary *vocabulary, const uint8_t *start, const uint8_t *p,
    const uint8_t *end)
{
	uint32_t right;

	if (p - start < 3 || end - p < 3 || !vocabulary_is_wide(p[-3]) || !vocabulary_is_wide(p[0]))
		return false;
	right = vocabulary_wide(p);
	return !vocabulary_has_wide_pair(vocabulary, vocabulary_wide(p - 3), right) &&
	    !vocabulary_has_wide_pair(vocabulary, vocabulary_wide_end(p[-1]), right);
}

/* The longest token that the bytes from p to end start with, p < end; its length is in *len. */
static inline uint32_t
vocabulary_longest(const struct vocabulary *vocabulary, const uint8_t *p, const uint8_t *end,
    unsigned *len)
{
	const uint8_t *start = p;
	uint32_t base = vocabulary->header->trie_root, token = vocabulary->header->byte_tokens[*p];
	uint64_t cell;

	*len = 1;
	if (end - p >= 3 && vocabulary_is_wide(*p)) {
		cell = vocabulary->wide[vocabulary_wide(p)];
		if (cell >> 32 != 0) {
			base = vocabulary_cell_base(cell);
			token = vocabulary_cell_token(cell);
			*len = 3;
			p += 3;
		}
	}
	while (p < end && (base ^ *p) < vocabulary->cell_count &&
	    !vocabulary_parts_at(vocabulary, start, p, end)) {
		cell = vocabulary->trie[base ^ *p];
		if ((cell & VOCABULARY_LABEL_MASK) != *p + 1u)
			break;
		p++;
		base = vocabulary_cell_base(cell);
		if (cell >> 32 != 0) {
			token = vocabulary_cell_token(cell);
			*len = (unsigned)(p - start);
		}
	}
	return token;
}

#endif
