#include "tokens/count.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tokens/pieces/piece_counts.h"

#define NOT_ASCII 0x8080808080808080u
#define PIECE_LEN 4 /* about the mean, in bytes */
/* The number of bytes after the start of a piece that splitting and counting may read. */
#define READ_AHEAD (SPLIT_WINDOW_LEN + PIECE_COUNTS_AHEAD)

struct token_counter {
	struct vocabulary vocabulary;
	struct piece_counts counts;
	enum split_pattern pattern;
	bool has_window;
};

bool
tokens_open(struct token_counter **counter, const char *encoding, struct fault *fault)
{
	struct token_counter *new = mem_alloc(1, sizeof(*new));

	if (!vocabulary_open(&new->vocabulary, encoding, fault)) {
		free(new);
		return false;
	}
	piece_counts_init(&new->counts, &new->vocabulary);
	new->pattern = new->vocabulary.pattern;
	new->has_window = split_has_window();
	*counter = new;
	return true;
}

void
tokens_close(struct token_counter *counter)
{
	vocabulary_close(&counter->vocabulary);
	piece_counts_free(&counter->counts);
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

/* Finds the ends of the next pieces of text that start before stop. A window whose first word is
 * cut by a byte that is not ASCII would find none, so it is not tried. */
static inline size_t
find_ends(struct token_counter *counter, struct str text, size_t stop, size_t at, size_t *ends)
{
	size_t count = 0;
	uint64_t word;

	while (at < stop && count < SPLIT_BATCH) {
		memcpy(&word, text.ptr + at, sizeof word);
		if (counter->has_window && (word & NOT_ASCII) == 0)
			count += split_windows(counter->pattern, text, stop, &at, ends + count);
		if (at < stop) {
			at += split_next(counter->pattern, str_of(text.ptr + at, text.len - at));
			ends[count++] = at;
		}
	}
	return count;
}

/* A count may stop when it has reached enough, or when it can no longer reach needed. A token has
 * at least one byte, so the bytes that are left bound the count. */
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
 * where it stopped. READ_AHEAD bytes after stop are readable. */
static size_t
count_until(
    struct token_counter *counter, struct str text, size_t stop, struct limits limits, size_t *at)
{
	size_t ends[2 * SPLIT_BATCH], count = 0, start = *at;

	while (
	    count < limits.enough && count + (text.len - start) >= limits.needed && start < stop) {
		size_t left = text.len - start, after = look_after(limits, count, left);
		size_t end_count = find_ends(
		    counter, text, after < stop - start ? start + after : stop, start, ends);

		if (end_count >= limits.enough - count)
			return limits.enough; /* each piece has a token */
		count += piece_counts_sum(&counter->counts, text.ptr, start, ends, end_count);
		start = ends[end_count - 1];
	}
	*at = start;
	return count;
}

/* The count of text; when a limit is met earlier, a number on the same side of the limit as the
 * count. The last pieces are counted in a copy, which has readable bytes after it. */
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
