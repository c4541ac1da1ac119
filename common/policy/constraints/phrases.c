#include "policy/constraints/phrases.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text/text.h"

/* Whether a word goes on over the place at. An underscore at the edge of a word is emphasis. */
static bool
is_in_word(struct str text, size_t at)
{
	if (at == 0 || at >= text.len || !byte_is_word(text.ptr[at - 1]) ||
	    !byte_is_word(text.ptr[at]))
		return false;
	if (text.ptr[at] == '_')
		return at + 1 < text.len && byte_is_word(text.ptr[at + 1]);
	return text.ptr[at - 1] != '_' || (at > 1 && byte_is_word(text.ptr[at - 2]));
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
		else if (rest.len > 0 && (rest.ptr[0] | 0x20) == (phrase.ptr[k] | 0x20))
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

void
phrases_each(struct phrases *phrases, struct str text,
    void (*see)(void *context, size_t at, size_t number), void *context)
{
	if (phrases->count == 0)
		return;
	if (phrases->first[number_at(phrases->phrase[0], 0)] == 0) {
		for (size_t k = 0; k < phrases->count; k++) {
			unsigned first = number_at(phrases->phrase[k], 0);

			phrases->second[first] |= UINT32_C(1) << number_at(phrases->phrase[k], 1);
			phrases->next[k] = phrases->first[first];
			phrases->first[first] = (uint16_t)(k + 1);
		}
	}
	for (size_t i = 0; i + 1 < text.len; i++) {
		unsigned first = number_at(text, i);

		if ((phrases->second[first] >> number_at(text, i + 1) & 1) == 0 ||
		    is_in_word(text, i))
			continue;
		for (unsigned k = phrases->first[first]; k > 0; k = phrases->next[k - 1])
			if (len_at(text, i, phrases->phrase[k - 1]) > 0)
				see(context, i, k - 1);
	}
}

/* Takes the lines of the text; sets the number of the one that is no phrase, or one too many. */
static bool
take_phrases(struct phrase_file *file, size_t *number)
{
	struct str text = buf_str(&file->text);

	for (*number = 1; text.len > 0; (*number)++) {
		size_t at = (size_t)(text.ptr - file->text.ptr);
		struct str line = str_take_line(&text), phrase;

		phrase = text_squeeze(file->text.ptr + at, line.len);
		if (phrase.len == 0 || phrase.ptr[0] == '#')
			continue;
		if (phrase.len < 2 || !byte_is_any_letter(phrase.ptr[0]) ||
		    !byte_is_any_letter(phrase.ptr[1]) || file->phrases.count == PHRASES_MOST)
			return false;
		file->phrase[file->phrases.count++] = phrase;
	}
	return true;
}

bool
phrase_file_read(struct phrase_file *file, const char *path, struct fault *fault)
{
	enum { BYTES_MOST = 1 << 20 };
	size_t number;

	*file = (struct phrase_file){.phrase = mem_alloc(PHRASES_MOST, sizeof *file->phrase)};
	file->phrases.phrase = file->phrase;
	if (!file_read(path, BYTES_MOST, &file->text, fault))
		return false;
	if (!take_phrases(file, &number))
		fault_set(fault, STATUS_CONFIG, "'%s', line %zu: expected a phrase, of %d at most",
		    path, number, PHRASES_MOST);
	return !fault_is_set(fault);
}

void
phrase_file_free(struct phrase_file *file)
{
	buf_free(&file->text);
	free(file->phrase);
}

size_t
phrases_begin(struct str text, struct str phrase)
{
	return text.len > 1 ? len_at(text, 0, phrase) : 0;
}
