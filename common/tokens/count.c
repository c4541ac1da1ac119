#include "tokens/count.h"

#include <endian.h>
#include <stdlib.h>

#include "base/mem.h"

/*
 * Remembered pieces, by a hash of their bytes; a new one takes the place of the old. The last byte
 * of a short entry is length | count << 4, so that an empty entry is equal to no piece.
 *
 *     short    15 bytes of text, zeros behind      | length and count       16 bytes
 *     long     62 bytes of text, zeros behind      | length | count         64 bytes
 */
#define SHORT_LEN 15
#define SHORT_ENTRIES (1u << 16)
#define LONG_LEN 62
#define LONG_ENTRIES (1u << 12)
#define MERGE_LEN 24 /* the longest piece where merging is faster than backtracking */
/* What splitting and remembering may read behind the start of a piece. */
#define READ_AHEAD (SPLIT_WINDOW_LEN + SHORT_LEN)

struct short_entry {
	uint64_t head, tail;
};

struct long_entry {
	uint64_t words[8];
};

struct token_counter {
	struct vocabulary vocabulary;
	struct bpe bpe;
	enum split_pattern pattern;
	bool has_window;
	struct short_entry *shorts;
	struct long_entry *longs;
};

enum status
tokens_open(struct token_counter **counter, const char *encoding, struct buf *message)
{
	struct token_counter *new = mem_alloc(1, sizeof(*new));
	enum status status = vocabulary_open(&new->vocabulary, encoding, message);

	if (status != STATUS_OK) {
		free(new);
		return status;
	}
	bpe_init(&new->bpe, &new->vocabulary);
	new->pattern = (enum split_pattern)new->vocabulary.header->pattern;
	new->has_window = split_has_window();
	new->shorts = calloc(SHORT_ENTRIES, sizeof(*new->shorts));
	new->longs = calloc(LONG_ENTRIES, sizeof(*new->longs));
	if (new->shorts == NULL || new->longs == NULL)
		mem_exhausted();
	*counter = new;
	return STATUS_OK;
}

void
tokens_close(struct token_counter *counter)
{
	vocabulary_close(&counter->vocabulary);
	bpe_free(&counter->bpe);
	free(counter->shorts);
	free(counter->longs);
	free(counter);
}

void
tokens_set_portable(struct token_counter *counter)
{
	counter->has_window = false;
}

const struct vocabulary *
tokens_vocabulary(const struct token_counter *counter)
{
	return &counter->vocabulary;
}

/* Eight bytes as a number whose lowest byte is the first. */
static inline uint64_t
load(const char *ptr)
{
	uint64_t word;

	memcpy(&word, ptr, sizeof(word));
	return le64toh(word);
}

static inline uint64_t
fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static size_t
count_new(struct token_counter *counter, struct str piece)
{
	if (piece.len <= MERGE_LEN)
		return bpe_merge(&counter->vocabulary, piece);
	return bpe_backtrack(&counter->bpe, piece);
}

/* A piece of 1 to SHORT_LEN bytes; 16 bytes at its start can be read. */
static inline size_t
count_short(struct token_counter *counter, struct str piece)
{
	uint64_t head = load(piece.ptr), tail = load(piece.ptr + 8);
	struct short_entry *entry;
	size_t count;

	if (piece.len < 8) {
		head &= ((uint64_t)1 << piece.len * 8) - 1;
		tail = 0;
	} else {
		tail &= ((uint64_t)1 << (piece.len - 8) * 8) - 1;
	}
	tail |= (uint64_t)piece.len << 56;
	entry = &counter->shorts[fold(head ^ 0x9e3779b97f4a7c15u, tail ^ 0xe7037ed1a0b428dbu) &
	    (SHORT_ENTRIES - 1)];
	if (entry->head == head && (entry->tail & ~((uint64_t)0xf0 << 56)) == tail)
		return entry->tail >> 60;
	count = count_new(counter, piece);
	*entry = (struct short_entry){head, tail | (uint64_t)count << 60};
	return count;
}

/* A piece of SHORT_LEN + 1 to LONG_LEN bytes. */
static size_t
count_long(struct token_counter *counter, struct str piece)
{
	struct long_entry new = {{0}}, *entry;
	uint64_t hash = piece.len;
	uint64_t count;

	memcpy(new.words, piece.ptr, piece.len);
	new.words[7] = htole64(le64toh(new.words[7]) | (uint64_t)piece.len << 48);
	for (size_t i = 0; i < 8; i += 2)
		hash = fold(new.words[i] ^ hash, new.words[i + 1] ^ 0xe7037ed1a0b428dbu);
	entry = &counter->longs[hash & (LONG_ENTRIES - 1)];
	count = le64toh(entry->words[7]) >> 56;
	new.words[7] = htole64(le64toh(new.words[7]) | count << 56);
	if (memcmp(entry, &new, sizeof(new)) == 0)
		return count;
	count = count_new(counter, piece);
	new.words[7] = htole64((le64toh(new.words[7]) << 8 >> 8) | count << 56);
	*entry = new;
	return count;
}

static inline size_t
count_piece(struct token_counter *counter, const char *ptr, size_t len)
{
	if (len <= SHORT_LEN)
		return count_short(counter, str_of(ptr, len));
	if (len <= LONG_LEN)
		return count_long(counter, str_of(ptr, len));
	return bpe_backtrack(&counter->bpe, str_of(ptr, len));
}

/* Counts the pieces that end at the bits of ends; returns the tokens, and in *len the bytes. */
static inline size_t
count_window(struct token_counter *counter, const char *ptr, uint64_t ends, size_t *len)
{
	size_t start = 0, count = 0;

	for (; ends != 0; ends &= ends - 1) {
		size_t end = (size_t)__builtin_ctzll(ends);

		count += count_piece(counter, ptr + start, end - start);
		start = end;
	}
	*len = start;
	return count;
}

/* Counts the next pieces, at least one, of *len bytes. READ_AHEAD bytes of text can be read. A
 * window is tried where ASCII begins: elsewhere it would be cut at once. */
static inline size_t
count_step(struct token_counter *counter, struct str text, size_t *len)
{
	uint64_t ends = 0;

	if (counter->has_window && (signed char)text.ptr[0] >= 0)
		ends = split_window(counter->pattern, text.ptr,
		    text.len < SPLIT_WINDOW_LEN ? text.len : SPLIT_WINDOW_LEN);
	if (ends != 0)
		return count_window(counter, text.ptr, ends, len);
	*len = split_next(counter->pattern, text);
	return count_piece(counter, text.ptr, *len);
}

/* Counts pieces until limit is reached or at most spare bytes are left; *text is what is left. */
static size_t
count_until(struct token_counter *counter, struct str *text, size_t limit, size_t spare)
{
	size_t count = 0, len;

	while (count < limit && text->len > spare) {
		count += count_step(counter, *text, &len);
		text->ptr += len;
		text->len -= len;
	}
	return count;
}

/* The count, or when that is limit or more, some number that is. The last pieces are counted in a
 * copy, for what can be read behind it. */
static size_t
count_to_limit(struct token_counter *counter, struct str text, size_t limit)
{
	char tail[2 * READ_AHEAD];
	size_t count = count_until(counter, &text, limit, READ_AHEAD);

	if (count >= limit || text.len == 0)
		return count;
	memcpy(tail, text.ptr, text.len);
	memset(tail + text.len, 0, sizeof(tail) - text.len);
	text.ptr = tail;
	return count + count_until(counter, &text, limit - count, 0);
}

size_t
tokens_count(struct token_counter *counter, struct str text)
{
	return count_to_limit(counter, text, SIZE_MAX);
}

bool
tokens_at_least(struct token_counter *counter, struct str text, size_t limit)
{
	if (text.len < limit)
		return false;
	if (text.len / TOKENS_LEN_MAX >= limit)
		return true;
	return count_to_limit(counter, text, limit) >= limit;
}
