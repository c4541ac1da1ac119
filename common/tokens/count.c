#include "tokens/count.h"

#include <endian.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/wide.h"

/*
 * Remembered pieces, by a hash of their bytes. A new piece takes the place of an old one. An empty
 * entry has length 0, so it is equal to no piece.
 *
 *     tiny     7 bytes of text, zeros behind | length, count in one byte         8 bytes
 *     short    15 bytes of text, zeros behind | length, count in one byte       16 bytes
 *     long     length | count | 124 bytes of text                              128 bytes
 *
 * The memory of a short run would be touched in every page and hardly used, so the tables begin
 * small. They grow when as many pieces were new as a table has entries.
 */
#define TINY_LEN 7
#define SHORT_LEN 15
#define LONG_LEN 124
#define BITS_MIN 10 /* 1 << bits tiny entries, half as many short ones, a 32nd of long ones */
#define BITS_MAX 16
#define BITS_STEP 3
#define SHORT_LESS 1
#define LONG_LESS 5
#define PIECE_LEN 4 /* about the mean, in bytes */
#define NOT_ASCII 0x8080808080808080u
/* Merging is the faster method for pieces up to this length, unless their first or second byte
 * starts a code point of three or four bytes. All other pieces are counted by backtracking. */
#define MERGE_LEN 24
#define THREE_BYTES 0xe0
/* The number of bytes behind the start of a piece that splitting and remembering may read. */
#define READ_AHEAD (SPLIT_WINDOW_LEN + SHORT_LEN)

struct short_entry {
	uint64_t head, tail;
};

struct long_entry {
	uint16_t len, count;
	char text[LONG_LEN];
};

/* Pieces of at most SHORT_LEN bytes that are not remembered, of one round of splitting. */
struct misses {
	struct str piece[2 * SPLIT_BATCH];
	size_t count;
};

struct token_counter {
	struct vocabulary vocabulary;
	struct bpe bpe;
	enum split_pattern pattern;
	bool has_window;
	unsigned bits;
	size_t new_count; /* pieces that were not remembered, since the tables have this size */
	uint64_t *tinies;
	struct short_entry *shorts;
	struct long_entry *longs;
};

static void *
alloc_zeros(size_t count, size_t size)
{
	void *zeros = calloc(count, size);

	if (zeros == NULL)
		mem_exhausted();
	return zeros;
}

static void
alloc_tables(struct token_counter *counter, unsigned bits)
{
	counter->bits = bits;
	counter->new_count = 0;
	counter->tinies = alloc_zeros((size_t)1 << bits, sizeof(*counter->tinies));
	counter->shorts = alloc_zeros((size_t)1 << (bits - SHORT_LESS), sizeof(*counter->shorts));
	counter->longs = alloc_zeros((size_t)1 << (bits - LONG_LESS), sizeof(*counter->longs));
}

static void
free_tables(struct token_counter *counter)
{
	free(counter->tinies);
	free(counter->shorts);
	free(counter->longs);
}

bool
tokens_open(struct token_counter **counter, const char *encoding, struct fault *fault)
{
	struct token_counter *new = mem_alloc(1, sizeof(*new));

	if (!vocabulary_open(&new->vocabulary, encoding, fault)) {
		free(new);
		return false;
	}
	bpe_init(&new->bpe, &new->vocabulary);
	new->pattern = new->vocabulary.pattern;
	new->has_window = split_has_window();
	alloc_tables(new, BITS_MIN);
	*counter = new;
	return true;
}

void
tokens_close(struct token_counter *counter)
{
	vocabulary_close(&counter->vocabulary);
	bpe_free(&counter->bpe);
	free_tables(counter);
	free(counter);
}

void
tokens_set_portable(struct token_counter *counter)
{
	counter->has_window = false;
}

struct vocabulary *
tokens_vocabulary(struct token_counter *counter)
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

/* By length of a short piece: masks that keep its bytes of the 16 bytes read. */
static const uint64_t head_masks[SHORT_LEN + 1] = {0, 0xff, 0xffff, 0xffffff, 0xffffffff,
    0xffffffffff, 0xffffffffffff, 0xffffffffffffff, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
    UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
static const uint64_t tail_masks[SHORT_LEN + 1] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xffff,
    0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff};

/* The entry of a tiny piece, without its count. 8 bytes from the start of the piece are
 * readable. */
static inline uint64_t
tiny_key(struct str piece)
{
	return (load(piece.ptr) & head_masks[piece.len]) | (uint64_t)piece.len << 56;
}

static inline uint64_t *
find_tiny(const struct token_counter *counter, uint64_t key)
{
	return &counter->tinies[key * 0x9e3779b97f4a7c15u >> (64 - counter->bits)];
}

/* The same for a short piece and its 16 bytes. */
static inline struct short_entry
short_key(struct str piece)
{
	uint64_t tail = load(piece.ptr + 8) & tail_masks[piece.len];

	return (struct short_entry){load(piece.ptr), tail | (uint64_t)piece.len << 56};
}

static inline struct short_entry *
find_short(const struct token_counter *counter, struct short_entry key)
{
	uint64_t hash = wide_fold(key.head ^ 0x9e3779b97f4a7c15u, key.tail ^ 0xe7037ed1a0b428dbu);

	return &counter->shorts[hash & (((size_t)1 << (counter->bits - SHORT_LESS)) - 1)];
}

/* Moves what is remembered to tables of more entries. */
static void
grow(struct token_counter *counter)
{
	struct token_counter old = *counter;

	alloc_tables(counter, old.bits + BITS_STEP);
	bpe_grow(&counter->bpe);
	for (size_t i = 0; i < (size_t)1 << old.bits; i++)
		*find_tiny(counter, old.tinies[i] & UINT64_MAX >> 4) = old.tinies[i];
	for (size_t i = 0; i < (size_t)1 << (old.bits - SHORT_LESS); i++) {
		struct short_entry entry = old.shorts[i], key = entry;

		key.tail &= UINT64_MAX >> 4;
		*find_short(counter, key) = entry;
	}
	free_tables(&old);
}

/* Whether backtracking is the faster method for the piece. */
static inline bool
is_for_backtracking(struct str piece)
{
	const uint8_t *p = (const uint8_t *)piece.ptr;

	return piece.len > MERGE_LEN || p[0] >= THREE_BYTES || p[piece.len > 1] >= THREE_BYTES;
}

/* Remembers the count of a piece of at most SHORT_LEN bytes. Returns the count. */
static size_t
remember(struct token_counter *counter, struct str piece, size_t count)
{
	counter->new_count++;
	if (piece.len <= TINY_LEN) {
		uint64_t key = tiny_key(piece);

		*find_tiny(counter, key) = key | (uint64_t)count << 60;
	} else {
		struct short_entry key = short_key(piece);
		struct short_entry *entry = find_short(counter, key);

		*entry = (struct short_entry){key.head, key.tail | (uint64_t)count << 60};
	}
	return count;
}

/* Counts and remembers the misses. */
static size_t
count_misses(struct token_counter *counter, struct misses *misses)
{
	size_t sum = 0;

	for (size_t i = 0; i < misses->count; i += VOCABULARY_GROUP) {
		size_t left = misses->count - i;
		unsigned group = left < VOCABULARY_GROUP ? (unsigned)left : VOCABULARY_GROUP;
		uint32_t tokens = vocabulary_tokens(&counter->vocabulary, misses->piece + i, group);

		for (unsigned j = 0; j < group; j++) {
			struct str piece = misses->piece[i + j];

			sum += remember(counter, piece,
			    tokens >> j & 1 ? 1 : bpe_merge(&counter->vocabulary, piece));
		}
	}
	misses->count = 0;
	if (counter->new_count >= (size_t)1 << counter->bits && counter->bits < BITS_MAX)
		grow(counter);
	return sum;
}

/* Counts a piece of SHORT_LEN + 1 to LONG_LEN bytes that is not remembered. */
static size_t
count_new(struct token_counter *counter, struct str piece)
{
	counter->new_count++;
	if (is_for_backtracking(piece))
		return bpe_backtrack(&counter->bpe, piece);
	if (vocabulary_tokens(&counter->vocabulary, &piece, 1) != 0)
		return 1;
	return bpe_merge(&counter->vocabulary, piece);
}

/* Counts a piece of SHORT_LEN + 1 to LONG_LEN bytes. */
static size_t
count_long(struct token_counter *counter, struct str piece)
{
	uint64_t hash = load(piece.ptr + piece.len - 8) ^ piece.len;
	struct long_entry *entry;

	for (size_t i = 0; i + 8 < piece.len; i += 8)
		hash = wide_fold(
		    load(piece.ptr + i) ^ 0x9e3779b97f4a7c15u, hash ^ 0xe7037ed1a0b428dbu);
	entry = &counter->longs[hash & (((size_t)1 << (counter->bits - LONG_LESS)) - 1)];
	if (entry->len == piece.len && memcmp(entry->text, piece.ptr, piece.len) == 0)
		return entry->count;
	entry->len = (uint16_t)piece.len;
	entry->count = (uint16_t)count_new(counter, piece);
	memcpy(entry->text, piece.ptr, piece.len);
	return entry->count;
}

/* Counts a piece, or returns 0 and adds it to the misses. 16 bytes from its start are readable. */
static inline size_t
count_piece(struct token_counter *counter, const char *ptr, size_t len, struct misses *misses)
{
	struct str piece = str_of(ptr, len);

	if (len <= TINY_LEN) {
		uint64_t key = tiny_key(piece), entry = *find_tiny(counter, key);

		if ((entry ^ key) << 4 == 0)
			return entry >> 60;
	} else if (len <= SHORT_LEN) {
		struct short_entry key = short_key(piece), *entry = find_short(counter, key);

		if (((entry->head ^ key.head) | (entry->tail ^ key.tail) << 4) == 0)
			return entry->tail >> 60;
	} else if (len <= LONG_LEN) {
		return count_long(counter, piece);
	} else {
		return bpe_backtrack(&counter->bpe, piece);
	}
	if (is_for_backtracking(piece))
		return remember(counter, piece, bpe_backtrack(&counter->bpe, piece));
	misses->piece[misses->count++] = piece;
	return 0;
}

/* Finds the ends of the next pieces of text that start before stop. A window whose first word is
 * cut by a byte that is not ASCII would find none, so it is not tried. */
static inline size_t
find_ends(struct token_counter *counter, struct str text, size_t stop, size_t at, size_t *ends)
{
	size_t count = 0;

	while (at < stop && count < SPLIT_BATCH) {
		if (counter->has_window && (load(text.ptr + at) & NOT_ASCII) == 0)
			count += split_windows(counter->pattern, text, stop, &at, ends + count);
		if (at < stop) {
			at += split_next(counter->pattern, str_of(text.ptr + at, text.len - at));
			ends[count++] = at;
		}
	}
	return count;
}

/* When a count may stop: when it is enough, or when it cannot become what is needed any more. A
 * token has at least one byte, so the bytes that are left bound the count. */
struct limits {
	size_t enough;
	size_t needed;
};

/* Where to look at the limits again: not before one of them can be met, and not long after, if
 * pieces are of common lengths. left is the number of bytes that are not counted yet. */
static size_t
look_after(struct limits limits, size_t count, size_t left)
{
	size_t spare = count + left - limits.needed, missing = limits.enough - count;

	if (missing < left / PIECE_LEN && missing * PIECE_LEN < spare)
		return missing * PIECE_LEN + SPLIT_WINDOW_LEN;
	return spare + spare / PIECE_LEN + SPLIT_WINDOW_LEN;
}

/* Counts the pieces from *at on that start before stop, or until a limit is met, and sets *at to
 * where it stopped. READ_AHEAD bytes behind stop are readable. */
static size_t
count_until(
    struct token_counter *counter, struct str text, size_t stop, struct limits limits, size_t *at)
{
	size_t ends[2 * SPLIT_BATCH], count = 0, start = *at;
	struct misses misses;

	misses.count = 0;
	while (
	    count < limits.enough && count + (text.len - start) >= limits.needed && start < stop) {
		size_t left = text.len - start, after = look_after(limits, count, left);
		size_t end_count = find_ends(
		    counter, text, after < stop - start ? start + after : stop, start, ends);

		if (end_count >= limits.enough - count)
			return limits.enough; /* each piece has a token */
		for (size_t i = 0; i < end_count; i++) {
			count += count_piece(counter, text.ptr + start, ends[i] - start, &misses);
			start = ends[i];
		}
		count += count_misses(counter, &misses);
	}
	*at = start;
	return count;
}

/* The count of text; when a limit is met earlier, a number on the same side of the limit as the
 * count. The last pieces are counted in a copy, which has readable bytes behind it. */
static size_t
count_to_limit(struct token_counter *counter, struct str text, struct limits limits)
{
	char copy[2 * READ_AHEAD];
	size_t at = 0, count = 0, left;

	if (text.len > READ_AHEAD)
		count = count_until(counter, text, text.len - READ_AHEAD, limits, &at);
	left = text.len - at;
	if (count >= limits.enough || count + left < limits.needed || left == 0)
		return count;
	memcpy(copy, text.ptr + at, left);
	memset(copy + left, 0, sizeof(copy) - left);
	at = 0;
	limits.enough -= count;
	limits.needed -= count < limits.needed ? count : limits.needed;
	return count + count_until(counter, str_of(copy, left), left, limits, &at);
}

size_t
tokens_count(struct token_counter *counter, struct str text)
{
	return count_to_limit(counter, text, (struct limits){SIZE_MAX, 0});
}

bool
tokens_at_least(struct token_counter *counter, struct str text, size_t limit)
{
	if (text.len < limit)
		return false;
	if (text.len / TOKENS_LEN_MAX >= limit)
		return true;
	return count_to_limit(counter, text, (struct limits){limit, limit}) >= limit;
}

bool
tokens_are_sound(const struct token_counter *counter, struct fault *fault)
{
	if (!counter->vocabulary.is_damaged)
		return true;
	return fault_set(fault, STATUS_CONFIG,
	    "bad vocabulary of %.16s: a number in it leads outside; "
	    "ctx-budget --verify names its file",
	    counter->vocabulary.header->encoding);
}
