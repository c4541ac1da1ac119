#include "tokens/count.h"

#include <endian.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/wide.h"

/*
 * Remembered pieces, by a hash of their bytes. A new piece takes the place of an old one. An empty
 * entry has length 0, so it is equal to no piece.
 *
 *     short    15 bytes of text, zeros behind | length, count in one byte       16 bytes
 *     long     length | count | 124 bytes of text                              128 bytes
 */
#define SHORT_LEN 15
#define SHORT_ENTRIES (1u << 16)
#define LONG_LEN 124
#define LONG_ENTRIES (1u << 11)
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

struct token_counter {
	struct vocabulary vocabulary;
	struct bpe bpe;
	enum split_pattern pattern;
	bool has_window;
	struct short_entry *shorts;
	struct long_entry *longs;
};

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
	new->shorts = calloc(SHORT_ENTRIES, sizeof(*new->shorts));
	new->longs = calloc(LONG_ENTRIES, sizeof(*new->longs));
	if (new->shorts == NULL || new->longs == NULL)
		mem_exhausted();
	*counter = new;
	return true;
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

/* Counts a piece that is not remembered. Often it is one token. */
static size_t
count_new(struct token_counter *counter, struct str piece)
{
	const uint8_t *p = (const uint8_t *)piece.ptr;
	unsigned len;

	if (piece.len > MERGE_LEN || p[0] >= THREE_BYTES || p[piece.len > 1] >= THREE_BYTES)
		return bpe_backtrack(&counter->bpe, piece);
	vocabulary_longest(&counter->vocabulary, p, p + piece.len, &len);
	return len == piece.len ? 1 : bpe_merge(&counter->vocabulary, piece);
}

/* By length of a short piece: masks that keep its bytes of the 16 bytes read. */
static const uint64_t head_masks[SHORT_LEN + 1] = {0, 0xff, 0xffff, 0xffffff, 0xffffffff,
    0xffffffffff, 0xffffffffffff, 0xffffffffffffff, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
    UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
static const uint64_t tail_masks[SHORT_LEN + 1] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xffff,
    0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff};

/* Counts a piece of 1 to SHORT_LEN bytes. 16 bytes from its start are readable. */
static inline size_t
count_short(struct token_counter *counter, struct str piece)
{
	uint64_t head = load(piece.ptr) & head_masks[piece.len];
	uint64_t tail = load(piece.ptr + 8) & tail_masks[piece.len];
	struct short_entry *entry;
	size_t count;

	tail |= (uint64_t)piece.len << 56;
	entry = &counter->shorts[wide_fold(head ^ 0x9e3779b97f4a7c15u, tail ^ 0xe7037ed1a0b428dbu) &
	    (SHORT_ENTRIES - 1)];
	if (((entry->head ^ head) | (entry->tail ^ tail) << 4) == 0)
		return entry->tail >> 60;
	count = count_new(counter, piece);
	*entry = (struct short_entry){head, tail | (uint64_t)count << 60};
	return count;
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
	entry = &counter->longs[hash & (LONG_ENTRIES - 1)];
	if (entry->len == piece.len && memcmp(entry->text, piece.ptr, piece.len) == 0)
		return entry->count;
	entry->len = (uint16_t)piece.len;
	entry->count = (uint16_t)count_new(counter, piece);
	memcpy(entry->text, piece.ptr, piece.len);
	return entry->count;
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

/* Counts the pieces from *at on that start before stop, or until a limit is met, and sets *at to
 * where it stopped. READ_AHEAD bytes behind stop are readable. */
static size_t
count_until(
    struct token_counter *counter, struct str text, size_t stop, struct limits limits, size_t *at)
{
	size_t ends[2 * SPLIT_BATCH], count = 0, start = *at;

	while (
	    count < limits.enough && count + (text.len - start) >= limits.needed && start < stop) {
		size_t end_count = find_ends(counter, text, stop, start, ends);

		for (size_t i = 0; i < end_count; i++) {
			count += count_piece(counter, text.ptr + start, ends[i] - start);
			start = ends[i];
		}
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
