#include "tokens/pieces/split.h"

#include "tokens/unicode_table.h"

/* A set of classes has one bit for each class. */
#define SET(class) (1u << (class))
#define LETTERS (SET(UNICODE_UPPER) | SET(UNICODE_LOWER) | SET(UNICODE_LETTER))
#define WORD_HEAD (SET(UNICODE_UPPER) | SET(UNICODE_LETTER) | SET(UNICODE_MARK))
#define WORD_TAIL (SET(UNICODE_LOWER) | SET(UNICODE_LETTER) | SET(UNICODE_MARK))
#define DIGITS SET(UNICODE_NUMBER)
#define LINE_BREAKS SET(UNICODE_LINE_BREAK)
#define BLANKS (SET(UNICODE_BLANK) | LINE_BREAKS)
#define SYMBOLS (SET(UNICODE_OTHER) | SET(UNICODE_MARK))
#define PREFIXES (SYMBOLS | SET(UNICODE_BLANK))

#define MAX_DIGITS 3

struct code {
	unsigned set; /* the bit of its class; 0 at the end of the text */
	unsigned len;
};

static inline bool
is_continuation(uint8_t byte)
{
	return (byte & 0xc0) == 0x80;
}

static struct code
code_of(uint32_t value, unsigned len)
{
	return (struct code){
	    SET(value > UNICODE_MAX ? UNICODE_OTHER : unicode_class_of(value)), len};
}

/* Reads a code point of four bytes, one at the end of the text, or a byte that is part of none. */
static struct code
rare_code_at(const uint8_t *p, const uint8_t *end)
{
	size_t left = (size_t)(end - p);

	if (left >= 2 && (p[0] & 0xe0) == 0xc0 && is_continuation(p[1]))
		return code_of((p[0] & 0x1fu) << 6 | (p[1] & 0x3fu), 2);
	if (left < 4 || (p[0] & 0xf8) != 0xf0 || !is_continuation(p[1]) || !is_continuation(p[2]) ||
	    !is_continuation(p[3]))
		return (struct code){SET(UNICODE_OTHER), 1};
	return code_of(
	    (p[0] & 7u) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu), 4);
}

/* The code point at p. The common cases are inlined: with calls, most of the time for text in
 * scripts other than Latin would be spent on the calls. */
static inline __attribute__((always_inline)) struct code
code_at(const uint8_t *p, const uint8_t *end)
{
	if (p == end)
		return (struct code){0, 0};
	if (*p < 0x80)
		return (struct code){SET(unicode_classes[0][*p >> 1] >> (*p & 1) * 4 & 0xf), 1};
	if (end - p >= 3 && is_continuation(p[1])) {
		if ((p[0] & 0xe0) == 0xc0)
			return (struct code){
			    SET(unicode_class_of((p[0] & 0x1fu) << 6 | (p[1] & 0x3fu))), 2};
		if ((p[0] & 0xf0) == 0xe0 && is_continuation(p[2]))
			return (struct code){SET(unicode_class_of((p[0] & 0xfu) << 12 |
						 (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu))),
			    3};
	}
	return rare_code_at(p, end);
}

static const uint8_t *
skip(const uint8_t *p, const uint8_t *end, unsigned set)
{
	struct code code;

	while ((code = code_at(p, end)).set & set)
		p += code.len;
	return p;
}

static const uint8_t *
skip_digits(const uint8_t *p, const uint8_t *end)
{
	struct code code;

	for (int i = 0; i < MAX_DIGITS && (code = code_at(p, end)).set & DIGITS; i++)
		p += code.len;
	return p;
}

/* The length of (?i:'s|'t|'re|'ve|'m|'ll|'d) at p, or 0. U+017F folds to s. */
static size_t
contraction_len(const uint8_t *p, const uint8_t *end)
{
	size_t left = (size_t)(end - p);
	uint8_t first, second;

	if (left < 2 || p[0] != '\'')
		return 0;
	first = p[1] | 0x20;
	if (p[1] < 0x80 && (first == 's' || first == 't' || first == 'm' || first == 'd'))
		return 2;
	if (left < 3)
		return 0;
	if (p[1] == 0xc5 && p[2] == 0xbf)
		return 3;
	if (p[1] >= 0x80 || p[2] >= 0x80)
		return 0;
	second = p[2] | 0x20;
	if (second == 'e' ? first == 'r' || first == 'v' : second == 'l' && first == 'l')
		return 3;
	return 0;
}

/*
 * HEAD* TAIL+ from p, or NULL. Letters without case and marks are in both sets, and HEAD* is
 * greedy:
 *
 *     A B c d           the head runs to c, the tail takes the rest
 *     L A B             the head takes all and gives back to the last that may be a tail: L
 *     A B               no match; *upper_end is after B, where HEAD+ TAIL* ends
 */
static const uint8_t *
cased_word(const uint8_t *p, const uint8_t *end, const uint8_t **upper_end)
{
	const uint8_t *last_tail = NULL;
	struct code code;

	while ((code = code_at(p, end)).set & WORD_HEAD) {
		p += code.len;
		if (code.set & WORD_TAIL)
			last_tail = p;
	}
	*upper_end = p;
	if (code.set & WORD_TAIL)
		return skip(p, end, WORD_TAIL);
	return last_tail;
}

/* The first two rules of o200k_base, without the contraction; p when neither matches. Their order
 * is: lower case with prefix, lower case without, upper case with prefix, upper case without. */
static const uint8_t *
o200k_word(const uint8_t *p, const uint8_t *end, struct code first)
{
	const uint8_t *inner = first.set & PREFIXES ? p + first.len : NULL;
	const uint8_t *inner_upper = inner, *upper = p, *word = NULL;

	if (inner != NULL)
		word = cased_word(inner, end, &inner_upper);
	if (word == NULL)
		word = cased_word(p, end, &upper);
	if (word != NULL)
		return word;
	return inner_upper > inner ? inner_upper : upper;
}

static const uint8_t *
cl100k_word(const uint8_t *p, const uint8_t *end, struct code first)
{
	const uint8_t *inner = first.set & PREFIXES ? p + first.len : p;
	const uint8_t *word = skip(inner, end, LETTERS);

	return word > inner ? word : p;
}

/* The end of " ?SYMBOL+" and of the line breaks after it; with with_slash also of slashes among
 * these. */
static const uint8_t *
symbols(const uint8_t *p, const uint8_t *end, bool with_slash)
{
	const uint8_t *inner = *p == ' ' ? p + 1 : p;
	const uint8_t *stop = skip(inner, end, SYMBOLS);

	if (stop == inner)
		return p;
	while (stop < end && (*stop == '\r' || *stop == '\n' || (with_slash && *stop == '/')))
		stop++;
	return stop;
}

/*
 * The end of the piece that a run of blanks starts. With a line break in the run, the piece ends
 * after the last one. Otherwise, when text follows, the last blank belongs to that text and the
 * piece ends before it. Otherwise the piece is the whole run.
 */
static const uint8_t *
blanks(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *start = p, *after_break = NULL, *last = p;
	struct code code;

	while ((code = code_at(p, end)).set & BLANKS) {
		last = p;
		p += code.len;
		if (code.set & LINE_BREAKS)
			after_break = p;
	}
	if (after_break != NULL)
		return after_break;
	return p == end || last == start ? p : last;
}

static const uint8_t *
o200k_piece(const uint8_t *p, const uint8_t *end)
{
	struct code first = code_at(p, end);
	const uint8_t *stop;

	if (first.set & DIGITS)
		return skip_digits(p, end);
	stop = o200k_word(p, end, first);
	if (stop > p)
		return stop + contraction_len(stop, end);
	stop = symbols(p, end, true);
	return stop > p ? stop : blanks(p, end);
}

static const uint8_t *
cl100k_piece(const uint8_t *p, const uint8_t *end)
{
	struct code first = code_at(p, end);
	const uint8_t *stop = p + contraction_len(p, end);

	if (stop > p)
		return stop;
	if (first.set & DIGITS)
		return skip_digits(p, end);
	stop = cl100k_word(p, end, first);
	if (stop > p)
		return stop;
	stop = symbols(p, end, false);
	return stop > p ? stop : blanks(p, end);
}

size_t
split_next(enum split_pattern pattern, struct str text)
{
	const uint8_t *p = (const uint8_t *)text.ptr;
	const uint8_t *end = p + text.len;

	return (size_t)((pattern == SPLIT_O200K ? o200k_piece : cl100k_piece)(p, end) - p);
}
