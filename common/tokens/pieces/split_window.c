/*
 * Pieces of ASCII text, 64 bytes at a time: there is a bit mask for each class of bytes, and the
 * rules of split.c are arithmetic on the masks. Bit i is for byte i.
 *
 *     text     H e l l o ,   w o r l d !
 *     letter   1 1 1 1 1 . . 1 1 1 1 1 .
 *     runs     1 . . . . 1 1 1 . . . . 1      where the class changes
 *     starts   1 . . . . 1 1 . . . . . .      " world" has a blank before it
 *
 * The run after the last change may go on in the next window. So only starts up to the last change
 * are certain, and the next window begins at the last of them. A byte that is not ASCII ends the
 * window.
 */

#include "tokens/pieces/split.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

struct masks {
	uint64_t upper, lower, letter, digit;
	uint64_t space;      /* U+0020 */
	uint64_t line_break; /* CR, LF */
	uint64_t blank;      /* space, line_break and all other white space */
	uint64_t symbol;     /* bytes of no other class */
	uint64_t apostrophe;
	uint64_t slash;
};

/* The classes of 32 bytes, some of which may be after the end of the window. */
struct half {
	uint32_t letter, bit5, digit, space, line_break, blank, apostrophe, slash, wide;
};

TARGET static inline uint32_t
bits(__m256i bytes)
{
	return (uint32_t)_mm256_movemask_epi8(bytes);
}

TARGET static inline __m256i
is(__m256i bytes, char c)
{
	return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c));
}

TARGET static inline __m256i
is_between(__m256i bytes, char first, char last)
{
	return _mm256_and_si256(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8((char)(first - 1))),
	    _mm256_cmpgt_epi8(_mm256_set1_epi8((char)(last + 1)), bytes));
}

TARGET static inline struct half
classify(const char *ptr)
{
	__m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)ptr);
	__m256i folded = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
	__m256i space = is(bytes, ' ');

	return (struct half){
	    .letter = bits(is_between(folded, 'a', 'z')),
	    .bit5 = bits(_mm256_slli_epi16(bytes, 2)),
	    .digit = bits(is_between(bytes, '0', '9')),
	    .space = bits(space),
	    .line_break = bits(_mm256_or_si256(is(bytes, '\r'), is(bytes, '\n'))),
	    .blank = bits(_mm256_or_si256(space, is_between(bytes, '\t', '\r'))),
	    .apostrophe = bits(is(bytes, '\'')),
	    .slash = bits(is(bytes, '/')),
	    .wide = bits(bytes),
	};
}

static inline uint64_t
below(unsigned i)
{
	return i == 64 ? UINT64_MAX : ((uint64_t)1 << i) - 1;
}

static inline uint64_t
bit(unsigned i)
{
	return (uint64_t)1 << i;
}

#define WHOLE(name) (low.name | (uint64_t)high.name << 32)

/* The masks of the *len bytes at ptr. Sets *len to less when one of them is not ASCII: up to the
 * first of those. */
TARGET static inline struct masks
read_masks(const char *ptr, unsigned *len)
{
	struct half low = classify(ptr), high = classify(ptr + 32);
	uint64_t wide = WHOLE(wide), valid, bit5 = WHOLE(bit5);
	struct masks m;

	if (wide != 0 && (unsigned)__builtin_ctzll(wide) < *len)
		*len = (unsigned)__builtin_ctzll(wide);
	valid = below(*len);
	m.letter = WHOLE(letter) & valid;
	m.lower = m.letter & bit5;
	m.upper = m.letter & ~bit5;
	m.digit = WHOLE(digit) & valid;
	m.space = WHOLE(space) & valid;
	m.line_break = WHOLE(line_break) & valid;
	m.blank = WHOLE(blank) & valid;
	m.symbol = valid & ~(m.letter | m.digit | m.blank);
	m.apostrophe = WHOLE(apostrophe) & valid;
	m.slash = WHOLE(slash) & valid;
	return m;
}

static inline uint64_t
runs(uint64_t mask)
{
	return mask & ~(mask << 1);
}

/* The number of adjacent set bits of mask right before bit i. */
static inline unsigned
count_before(uint64_t mask, unsigned i)
{
	return i == 0 ? 0 : (unsigned)__builtin_clzll(~(mask << (64 - i)) | 1);
}

/* Every third digit of a run starts a piece. */
static inline uint64_t
digit_starts(uint64_t digit)
{
	uint64_t starts = runs(digit), after_three, next;

	after_three = digit & digit << 1 & digit << 2 & digit << 3;
	for (next = starts; (next = next << 3 & after_three) != 0;)
		starts |= next;
	return starts;
}

/* Whether the line breaks before bit i belong to the symbols before them. */
static inline bool
follow_symbol(const struct masks *m, unsigned i)
{
	unsigned count = count_before(m->line_break, i);

	return count < i && m->symbol >> (i - count - 1) & 1;
}

/* starts has the blanks right after a line break. Drops those from which only blanks lead to
 * another line break, since the piece goes on to that one; keeps them if the line breaks before
 * belong to a symbol. */
static uint64_t
drop_inner(const struct masks *m, uint64_t inner, uint64_t starts)
{
	for (uint64_t left = starts; left != 0; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctzll(left);
		uint64_t stop = (inner + bit(i)) & ~inner & ~below(i);

		if (stop & -stop & m->line_break && !follow_symbol(m, i))
			starts &= ~bit(i);
	}
	return starts;
}

/*
 * A run of blanks starts pieces at its first blank, after its last line break, and at its last
 * blank:
 *
 *     x _ _ \n _ \n _ _ _ y      line breaks right after a symbol belong to that
 *       1           1   1
 */
static inline uint64_t
blank_starts(const struct masks *m)
{
	uint64_t inner = m->blank & ~m->line_break;
	uint64_t behind = inner & m->line_break << 1;
	uint64_t stops = (inner + behind) & ~inner;
	uint64_t starts = runs(m->blank) & ~(m->line_break & m->symbol << 1);

	if (stops & m->line_break)
		behind = drop_inner(m, inner, behind);
	return starts | behind | (inner & ~(m->blank >> 1));
}

/* The length of the contraction at the apostrophe ptr[i]; 0 when there is none. Clears *sure when
 * more than len bytes would be needed to tell. */
static inline unsigned
contraction(const char *ptr, unsigned i, unsigned len, bool *sure)
{
	char first = ptr[i + 1] | 0x20, second;

	if (first == 's' || first == 't' || first == 'm' || first == 'd')
		return 2;
	if (first != 'r' && first != 'v' && first != 'l')
		return 0;
	if (i + 2 >= len) {
		*sure = false;
		return 0;
	}
	second = ptr[i + 2] | 0x20;
	return second == (first == 'l' ? 'l' : 'e') ? 3 : 0;
}

/* o200k_base: a contraction belongs to the word before it, unless it is right after another
 * contraction. */
static uint64_t
join_contractions(const struct masks *m, const char *ptr, unsigned len, uint64_t starts,
    uint64_t candidates, unsigned *sure_len)
{
	unsigned last_end = 0;

	for (; candidates != 0; candidates &= candidates - 1) {
		unsigned i = (unsigned)__builtin_ctzll(candidates), end;
		bool sure = true;

		end = i + contraction(ptr, i, len, &sure);
		if (!sure && *sure_len > i)
			*sure_len = i;
		if (end == i || i == last_end)
			continue;
		last_end = end;
		starts &= ~(below(end) & ~below(i));
		if (end < 64)
			starts |= bit(end) & (m->letter | starts);
	}
	return starts;
}

/* cl100k_base: a contraction is a piece. */
static uint64_t
part_contractions(const struct masks *m, const char *ptr, unsigned len, uint64_t starts,
    uint64_t candidates, unsigned *sure_len)
{
	for (; candidates != 0; candidates &= candidates - 1) {
		unsigned i = (unsigned)__builtin_ctzll(candidates), end;
		bool sure = true;

		end = i + contraction(ptr, i, len, &sure);
		if (!sure && *sure_len > i + 1)
			*sure_len = i + 1;
		if (end > i && end < 64)
			starts |= bit(end) & m->letter;
	}
	return starts;
}

/* The start of the first line breaks between symbols and a slash, which o200k_base keeps together,
 * or limit. */
static unsigned
slash_limit(const struct masks *m, unsigned limit)
{
	uint64_t slashes = m->slash & m->line_break << 1;

	for (; slashes != 0; slashes &= slashes - 1) {
		unsigned i = (unsigned)__builtin_ctzll(slashes);
		unsigned at = i - count_before(m->line_break, i);

		if (follow_symbol(m, i))
			return at < limit ? at : limit;
	}
	return limit;
}

/* The starts of pieces at letters, symbols and digits. A letter starts no piece after a blank or a
 * single symbol; a symbol starts none after a space. */
static inline uint64_t
text_starts(const struct masks *m)
{
	uint64_t symbol = runs(m->symbol) & ~(m->space << 1);
	uint64_t prefix = (m->blank & ~m->line_break) | (symbol & ~(m->symbol >> 1));

	return (runs(m->letter) & ~(prefix << 1)) | symbol | digit_starts(m->digit);
}

bool
split_has_window(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

/* Bit i is set when a piece ends before byte i of the len bytes at ptr, which start a piece. */
TARGET static inline uint64_t
window_ends(enum split_pattern pattern, const char *ptr, unsigned len)
{
	struct masks m = read_masks(ptr, &len);
	uint64_t changes = runs(m.letter) | runs(m.digit) | runs(m.blank) | runs(m.symbol);
	uint64_t starts, candidates;
	unsigned limit;

	if (changes <= 1)
		return 0;
	limit = 63 - (unsigned)__builtin_clzll(changes);
	starts = text_starts(&m) | blank_starts(&m);
	candidates = m.apostrophe & runs(m.symbol) & m.letter >> 1;
	if (pattern == SPLIT_O200K) {
		starts |= m.upper & m.lower << 1;
		candidates &= m.letter << 1;
		if (candidates != 0)
			starts = join_contractions(&m, ptr, len, starts, candidates, &limit);
		if (m.slash & m.line_break << 1)
			limit = slash_limit(&m, limit);
	} else {
		candidates &= ~(m.space << 1);
		if (candidates != 0)
			starts = part_contractions(&m, ptr, len, starts, candidates, &limit);
	}
	return starts & below(limit) & ~(uint64_t)1;
}

/* Writes the places of the bits of mask, counted from base, and returns their number. Writes four
 * places at a time; those after the last one mean nothing and are overwritten by the next
 * window. */
TARGET static inline size_t
write_ends(size_t *ends, uint64_t mask, size_t base)
{
	size_t count = (size_t)__builtin_popcountll(mask);

	for (size_t i = 0; i < count; i += 4) {
		for (size_t j = i; j < i + 4; j++) {
			ends[j] = base + (size_t)_tzcnt_u64(mask);
			mask &= mask - 1;
		}
	}
	return count;
}

TARGET static inline size_t
split_by(enum split_pattern pattern, struct str text, size_t stop, size_t *at, size_t *ends)
{
	size_t count = 0, place = *at;

	while (count <= SPLIT_BATCH - SPLIT_WINDOW_LEN && place < stop) {
		size_t left = text.len - place;
		uint64_t mask = window_ends(pattern, text.ptr + place,
		    left < SPLIT_WINDOW_LEN ? (unsigned)left : SPLIT_WINDOW_LEN);

		if (mask == 0)
			break;
		count += write_ends(ends + count, mask, place);
		place = ends[count - 1];
	}
	*at = place;
	return count;
}

TARGET size_t
split_windows(enum split_pattern pattern, struct str text, size_t stop, size_t *at, size_t *ends)
{
	return pattern == SPLIT_O200K ? split_by(SPLIT_O200K, text, stop, at, ends) :
					split_by(SPLIT_CL100K, text, stop, at, ends);
}

#else

bool
split_has_window(void)
{
	return false;
}

size_t
split_windows(enum split_pattern pattern, struct str text, size_t stop, size_t *at, size_t *ends)
{
	(void)pattern;
	(void)text;
	(void)stop;
	(void)at;
	(void)ends;
	return 0;
}

#endif
