#ifndef TOKENS_VOCABULARY_H
#define TOKENS_VOCABULARY_H

/*
 * A compiled vocabulary, mapped read-only: its memory is the page cache's and shared by all who
 * count. vocabulary_format.h draws the file.
 *
 * Only its header is checked when it is opened, for the rest is megabytes of which a run touches
 * little. The look-ups check what they touch: they stay inside their sections and end, whatever is in
 * the file, and a number that leads outside sets is_damaged, after which all counts are worthless.
 *
 * A file that is truncated while it is mapped would end its readers by SIGBUS. The input of commands
 * is therefore read; a vocabulary is mapped all the same, since it is part of the installation, which
 * users cannot write to, and make install replaces it by its name instead of overwriting it.
 *
 * NAME.vocab is looked for in the directories of $CTX_VOCAB_PATH (colon-separated), in ../share/ctx
 * beside the directory of the running program, and in datadir (tokens/datadir.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/fault.h"
#include "tokens/split.h"
#include "tokens/vocabulary_format.h"

struct vocabulary {
	const struct vocabulary_header *header; /* the file */
	size_t len;
	dev_t dev;                              /* which file it is */
	ino_t ino;
	const uint64_t *splits;
	const uint32_t *tokens;
	const uint32_t *byte_pairs;
	const uint64_t *pairs;
	const uint64_t *filter;
	const uint64_t *trie;
	const uint64_t *wide;
	const uint64_t *wide_pairs;
	uint64_t filter_mask;
	uint32_t token_count;
	uint32_t token_mask;
	uint32_t bucket_count;
	uint32_t cell_count;
	uint32_t trie_root;
	enum split_pattern pattern;
	bool is_damaged;
	uint32_t byte_tokens[256];
};

/* The names of the encodings of which there are vocabularies, ended by NULL. */
extern const char *const vocabulary_encodings[];

/* Sets path to the index-th place where the vocabulary of the encoding is looked for, and a NUL that
 * is not counted. False when there are no more. */
bool vocabulary_place(size_t index, const char *encoding, struct buf *path);

/* Opens the vocabulary of the encoding, a name like "o200k_base", in the first place that has one.
 * False with the fault set, which names the file: of status 66 when it is missing or cannot be read,
 * 71 when the system lacks memory, 78 when it is malformed or no regular file. */
bool vocabulary_open(struct vocabulary *vocabulary, const char *encoding, struct fault *fault);

/* The same for the file at path, which the fault's text does not name; false without a fault when there
 * is no such file. */
bool vocabulary_open_at(struct vocabulary *vocabulary, const char *path, const char *encoding,
    struct fault *fault);

/* The same for the len bytes of a file, which outlive the vocabulary; start is that of a page. Returns
 * NULL, or what is wrong. Is not closed. */
const char *vocabulary_use(struct vocabulary *vocabulary, const void *start, size_t len,
    const char *encoding);

/* Whether the content is as it was compiled; reads all of it. */
bool vocabulary_is_intact(const struct vocabulary *vocabulary);

void vocabulary_close(struct vocabulary *vocabulary);

/* A number of the file leads outside: returns VOCABULARY_NONE, in its place. */
static inline uint32_t
vocabulary_damaged(struct vocabulary *vocabulary)
{
	vocabulary->is_damaged = true;
	return VOCABULARY_NONE;
}

/* For vocabulary_pair: the look-up in the table itself. */
uint32_t vocabulary_find_pair(struct vocabulary *vocabulary, uint64_t key, uint64_t hash);

/* The token that is left and right, end to end, or VOCABULARY_NONE. */
static inline uint32_t
vocabulary_pair(struct vocabulary *vocabulary, uint32_t left, uint32_t right)
{
	uint64_t key = vocabulary_pair_key(left, right);
	uint64_t hash = vocabulary_pair_hash(key);
	uint64_t bit = hash & vocabulary->filter_mask;

	if ((le64toh(vocabulary->filter[bit / 64]) >> bit % 64 & 1) == 0)
		return VOCABULARY_NONE;
	return vocabulary_find_pair(vocabulary, key, hash);
}

/* The token of two bytes, or VOCABULARY_NONE. */
static inline uint32_t
vocabulary_byte_pair(struct vocabulary *vocabulary, uint8_t left, uint8_t right)
{
	uint32_t token = le32toh(vocabulary->byte_pairs[left << 8 | right]);

	return token < vocabulary->token_count || token == VOCABULARY_NONE ?
	    token : vocabulary_damaged(vocabulary);
}

/* The token whose merge with the other side makes token, which is below it; token itself when it is a
 * byte. Not checked: a damaged file may give any number. */
static inline uint32_t
vocabulary_left(const struct vocabulary *vocabulary, uint32_t token)
{
	return (uint32_t)le64toh(vocabulary->splits[token & vocabulary->token_mask]);
}

static inline uint32_t
vocabulary_right(const struct vocabulary *vocabulary, uint32_t token)
{
	return (uint32_t)(le64toh(vocabulary->splits[token & vocabulary->token_mask]) >> 32);
}

/* The length of token in bytes. */
static inline unsigned
vocabulary_len(const struct vocabulary *vocabulary, uint32_t token)
{
	return le32toh(vocabulary->tokens[token & vocabulary->token_mask]) >> 24;
}

/* The longest token that is a proper prefix of token, VOCABULARY_ID_MASK when it is a byte. Not
 * checked. */
static inline uint32_t
vocabulary_prefix(const struct vocabulary *vocabulary, uint32_t token)
{
	return le32toh(vocabulary->tokens[token & vocabulary->token_mask]) & VOCABULARY_ID_MASK;
}

static inline bool
vocabulary_has_wide_pair(const struct vocabulary *vocabulary, uint32_t left, uint32_t right)
{
	uint32_t bit = vocabulary_wide_pair_bit(left, right);

	return le64toh(vocabulary->wide_pairs[bit / 64]) >> bit % 64 & 1;
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

/* The longest token that the bytes from p to end start with, p < end; its length, at most
 * VOCABULARY_LEN_MAX, is in *len. */
static inline uint32_t
vocabulary_longest(struct vocabulary *vocabulary, const uint8_t *p, const uint8_t *end,
    unsigned *len)
{
	const uint8_t *start = p;
	const uint8_t *stop = (size_t)(end - p) < VOCABULARY_LEN_MAX ? end : p + VOCABULARY_LEN_MAX;
	uint32_t base = vocabulary->trie_root, token = vocabulary->byte_tokens[*p];
	uint64_t cell;

	*len = 1;
	if (end - p >= 3 && vocabulary_is_wide(*p)) {
		cell = le64toh(vocabulary->wide[vocabulary_wide(p)]);
		if (cell >> 32 != 0) {
			base = vocabulary_cell_base(cell);
			token = vocabulary_cell_token(cell);
			*len = 3;
			p += 3;
		}
	}
	while (p < stop && !vocabulary_parts_at(vocabulary, start, p, end)) {
		if ((base ^ *p) >= vocabulary->cell_count) {
			vocabulary_damaged(vocabulary);
			break;
		}
		cell = le64toh(vocabulary->trie[base ^ *p]);
		if ((cell & VOCABULARY_LABEL_MASK) != *p + 1u)
			break;
		p++;
		base = vocabulary_cell_base(cell);
		if (cell >> 32 != 0) {
			token = vocabulary_cell_token(cell);
			*len = (unsigned)(p - start);
		}
	}
	if (token >= vocabulary->token_count) {
		vocabulary_damaged(vocabulary);
		*len = 1;
		return vocabulary->byte_tokens[*start];
	}
	return token;
}

#endif
