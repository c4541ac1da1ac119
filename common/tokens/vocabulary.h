#ifndef TOKENS_VOCABULARY_H
#define TOKENS_VOCABULARY_H

/*
 * A compiled vocabulary, mapped read-only: all programs that count share its memory in the page
 * cache. vocabulary_format.h draws the file.
 *
 * Opening checks the header only, since a run needs little of the megabytes after the header. Each
 * look-up checks the numbers that it reads. So even with a damaged file, look-ups stay inside their
 * sections and end. A number that leads outside sets is_damaged; then all counts are worthless.
 *
 * When a mapped file is truncated, SIGBUS ends its readers. The input of commands is therefore read
 * and not mapped. A vocabulary may be mapped: it is part of the installation, users cannot write to
 * it, and make install replaces the file instead of overwriting it.
 *
 * NAME.vocab is looked for in the directories of $CTX_VOCAB_PATH (colon-separated), in ../share/ctx
 * beside the directory of the running program, and in datadir (tokens/datadir.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/fault.h"
#include "tokens/pieces/piece_key.h"
#include "tokens/pieces/split.h"
#include "tokens/vocabulary_format.h"

struct vocabulary {
	const struct vocabulary_header *header; /* the file */
	size_t len;
	struct stat st; /* the state of the file, which identifies it */
	const uint64_t *tinies;
	const struct piece_key *shorts;
	const uint64_t *splits;
	const uint32_t *tokens;
	const uint32_t *byte_pairs;
	const uint64_t *pairs;
	const uint64_t *filter;
	const uint32_t *trie;
	const uint32_t *trie_tokens;
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

/* The names of all encodings that have a vocabulary, ended by NULL. */
extern const char *const vocabulary_encodings[];

/* Sets path to path number index, from 0, in the list of paths where the vocabulary of the encoding
 * is looked for. A NUL follows the path. Returns false after the last one. */
bool vocabulary_place(size_t index, const char *encoding, struct buf *path);

/* Opens the vocabulary of the encoding, a name like "o200k_base", at the first path that has one.
 * Returns false with the fault set when the file is missing or cannot be read (status 66), when the
 * system lacks memory (71), and when the file is malformed or no regular file (78). The text of the
 * fault names the file. */
bool vocabulary_open(struct vocabulary *vocabulary, const char *encoding, struct fault *fault);

/* The same for the file at path, but the text of the fault does not name it. Returns false without
 * a fault when there is no such file. */
bool vocabulary_open_at(
    struct vocabulary *vocabulary, const char *path, const char *encoding, struct fault *fault);

/* The same for a file in memory: len bytes at start. start must be the start of a page, and the
 * memory must outlive the vocabulary. Returns NULL, or a phrase that says what is wrong. Do not
 * close the vocabulary. */
const char *vocabulary_use(
    struct vocabulary *vocabulary, const void *start, size_t len, const char *encoding);

/* Whether the content has the checksum that the header gives. Reads the whole file. */
bool vocabulary_is_intact(const struct vocabulary *vocabulary);

void vocabulary_close(struct vocabulary *vocabulary);

/* Notes that a number in the file leads outside its section. Returns VOCABULARY_NONE, to use
 * instead of that number. */
static inline uint32_t
vocabulary_damaged(struct vocabulary *vocabulary)
{
	vocabulary->is_damaged = true;
	return VOCABULARY_NONE;
}

/* Whether a tiny piece is one of the frequent tokens; the same for a short piece. */
static inline bool
vocabulary_has_tiny(const struct vocabulary *vocabulary, uint64_t key)
{
	return le64toh(vocabulary->tinies[piece_tiny_place(key, VOCABULARY_TINY_BITS)]) == key;
}

static inline bool
vocabulary_has_short(const struct vocabulary *vocabulary, struct piece_key key)
{
	const struct piece_key *token =
	    &vocabulary->shorts[piece_short_place(key, VOCABULARY_SHORT_BITS)];

	return le64toh(token->head) == key.head && le64toh(token->tail) == key.tail;
}

#define VOCABULARY_GROUP 32

/* Looks up count pieces, at most VOCABULARY_GROUP. Bit i of the result is set when piece i is a
 * token. All pieces are looked up in parallel, so that their waits for memory overlap. */
uint32_t vocabulary_tokens(struct vocabulary *vocabulary, const struct str *pieces, unsigned count);

/* The part of vocabulary_pair that looks the pair up in PAIRS. */
uint32_t vocabulary_find_pair(struct vocabulary *vocabulary, uint64_t key, uint64_t hash);

/* The token that merging left and right gives, or VOCABULARY_NONE. */
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

/* The token that merging two bytes gives, or VOCABULARY_NONE. */
static inline uint32_t
vocabulary_byte_pair(struct vocabulary *vocabulary, uint8_t left, uint8_t right)
{
	uint32_t token = le32toh(vocabulary->byte_pairs[left << 8 | right]);

	return token < vocabulary->token_count || token == VOCABULARY_NONE ?
	    token :
	    vocabulary_damaged(vocabulary);
}

/* The left and the right token whose merge makes token, both of lower rank; token itself when it is
 * a byte. Not checked: a damaged file may give any number. */
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

/* The longest token that is a proper prefix of token; VOCABULARY_ID_MASK when token is a byte. Not
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

/* Whether certainly no token has bytes on both sides of p, a place in the text from start to
 * end. */
static inline bool
vocabulary_parts_at(
    const struct vocabulary *vocabulary, const uint8_t *start, const uint8_t *p, const uint8_t *end)
{
	uint32_t right;

	if (p - start < 3 || end - p < 3 || !vocabulary_is_wide(p[-3]) || !vocabulary_is_wide(p[0]))
		return false;
	right = vocabulary_wide(p);
	return !vocabulary_has_wide_pair(vocabulary, vocabulary_wide(p - 3), right) &&
	    !vocabulary_has_wide_pair(vocabulary, vocabulary_wide_end(p[-1]), right);
}

/* The longest token at p, in the bytes up to end; p is before end. Sets *len to its length in
 * bytes, at most VOCABULARY_LEN_MAX. */
static inline uint32_t
vocabulary_longest(
    struct vocabulary *vocabulary, const uint8_t *p, const uint8_t *end, unsigned *len)
{
	const uint8_t *start = p;
	const uint8_t *stop = (size_t)(end - p) < VOCABULARY_LEN_MAX ? end : p + VOCABULARY_LEN_MAX;
	uint32_t base = vocabulary->trie_root, token = vocabulary->byte_tokens[*p];
	uint32_t at, last = VOCABULARY_NONE;

	*len = 1;
	if (end - p >= 3 && vocabulary_is_wide(*p)) {
		uint64_t wide = le64toh(vocabulary->wide[vocabulary_wide(p)]);

		if (wide >> 32 != 0) {
			base = vocabulary_cell_base((uint32_t)wide);
			token = (uint32_t)(wide >> 32) - 1;
			*len = 3;
			p += 3;
		}
	}
	while (p < stop && !vocabulary_parts_at(vocabulary, start, p, end)) {
		uint32_t cell;

		at = base ^ *p;
		if (at >= vocabulary->cell_count) {
			vocabulary_damaged(vocabulary);
			break;
		}
		cell = le32toh(vocabulary->trie[at]);
		if ((cell & VOCABULARY_LABEL_MASK) != *p + 1u)
			break;
		p++;
		base = vocabulary_cell_base(cell);
		if ((cell & VOCABULARY_END) != 0) {
			last = at;
			*len = (unsigned)(p - start);
		}
	}
	if (last != VOCABULARY_NONE)
		token = le32toh(vocabulary->trie_tokens[last]);
	if (token >= vocabulary->token_count) {
		vocabulary_damaged(vocabulary);
		*len = 1;
		return vocabulary->byte_tokens[*start];
	}
	return token;
}

#endif
