#include "policy/digest/phrases.h"

#include <string.h>

bool
phrases_is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '_';
}

/* Whether a word goes on over the place at. An underscore at the edge of a word is emphasis. */
static bool
is_in_word(struct str text, size_t at)
{
	if (at == 0 || at >= text.len || !phrases_is_word_byte(text.ptr[at - 1]) ||
	    !phrases_is_word_byte(text.ptr[at]))
		return false;
	if (text.ptr[at] == '_')
		return at + 1 < text.len && phrases_is_word_byte(text.ptr[at + 1]);
	return text.ptr[at - 1] != '_' || (at > 1 && phrases_is_word_byte(text.ptr[at - 2]));
}

static size_t
apostrophe_len(struct str text)
{
	if (str_has_prefix(text, STR("\xe2\x80\x99")))
		return 3;
	return text.len > 0 && text.ptr[0] == '\'';
}

/* The bytes between two words. */
static size_t
gap_len(struct str text)
{
	size_t len = 0;

	while (len < text.len && memchr(" \t\n*_", text.ptr[len], 5) != NULL)
		len++;
	return len;
}

static unsigned
letter_at(struct str text, size_t at)
{
	return (text.ptr[at] | 0x20u) - 'a';
}

/* The bytes of the phrase at byte at of the text, which has two more; 0: it is not there. */
static size_t
len_at(struct str text, size_t at, struct str phrase)
{
	size_t end = at + 2;

	if (letter_at(text, at) != letter_at(phrase, 0) ||
	    letter_at(text, at + 1) != letter_at(phrase, 1))
		return 0;
	for (size_t k = 2; k < phrase.len; k++) {
		struct str rest = str_of(text.ptr + end, text.len - end);
		size_t gap = phrase.ptr[k] == ' ' ? gap_len(rest) : 0;

		if (phrase.ptr[k] == '\'')
			end += apostrophe_len(rest);
		else if (gap > 0)
			end += gap;
		else if (rest.len > 0 && (rest.ptr[0] | 0x20) == phrase.ptr[k])
			end++;
		else
			return 0;
	}
	return is_in_word(text, end) ? 0 : end - at;
}

/* A letter of either case, from 1 to 26; some other bytes have such a number too. */
static unsigned
number_at(struct str text, size_t at)
{
	return text.ptr[at] & 31u;
}

static void
prepare(struct phrases *phrases)
{
	for (size_t k = 0; k < phrases->count; k++) {
		unsigned first = number_at(phrases->phrase[k], 0);

		phrases->second[first] |= UINT32_C(1) << number_at(phrases->phrase[k], 1);
		phrases->next[k] = phrases->first[first];
		phrases->first[first] = (uint8_t)(k + 1);
	}
}

static bool
any_at(const struct phrases *phrases, struct str text, size_t at)
{
	for (unsigned k = phrases->first[number_at(text, at)]; k > 0; k = phrases->next[k - 1])
		if (len_at(text, at, phrases->phrase[k - 1]) > 0)
			return true;
	return false;
}

bool
phrases_any(struct phrases *phrases, struct str text)
{
	if (phrases->first[number_at(phrases->phrase[0], 0)] == 0)
		prepare(phrases);
	for (size_t i = 0; i + 1 < text.len; i++)
		if ((phrases->second[number_at(text, i)] >> number_at(text, i + 1) & 1) != 0 &&
		    !is_in_word(text, i) && any_at(phrases, text, i))
			return true;
	return false;
}

size_t
phrases_begin(struct str text, const struct str *phrase, size_t count)
{
	size_t len = 0;

	for (size_t k = 0; k < count && len == 0 && text.len > 1; k++)
		len = len_at(text, 0, phrase[k]);
	return len;
}
