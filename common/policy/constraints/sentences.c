#include "policy/constraints/sentences.h"

#include <string.h>

#include "base/byte.h"
#include "policy/text/pasted.h"

enum { WRAPPED_LEAST = 50 }; /* bytes of a line that an editor may have wrapped */

struct reader {
	void (*see)(void *context, struct str sentence);
	void *context;
};

/* The sentence without the bullet of an item or the mark of a heading. */
static struct str
without_bullet(struct str sentence)
{
	size_t marks = 0;

	while (marks < sentence.len && memchr("-*#>.", sentence.ptr[marks], 5) != NULL)
		marks++;
	if (marks < sentence.len && sentence.ptr[marks] == ' ')
		return str_trim(str_of(sentence.ptr + marks, sentence.len - marks));
	return sentence;
}

/* The bytes of the tag at the place, "<rule>" or "</rule>"; 0: there is none. */
static size_t
tag_len(struct str text, size_t place)
{
	size_t name = place + 1 + (place + 1 < text.len && text.ptr[place + 1] == '/'), at = name;

	if (place >= text.len || text.ptr[place] != '<')
		return 0;
	while (at < text.len && (byte_is_word(text.ptr[at]) || text.ptr[at] == '-'))
		at++;
	return at > name && at < text.len && text.ptr[at] == '>' ? at + 1 - place : 0;
}

struct str
sentences_bare(struct str text)
{
	bool is_closed = false;
	const char *end;
	size_t len;

	text = str_trim(text);
	while (text.len > 0 && text.ptr[text.len - 1] == '>' &&
	    (end = memrchr(text.ptr, '<', text.len)) != NULL && end[1] == '/' &&
	    end + tag_len(text, (size_t)(end - text.ptr)) == text.ptr + text.len) {
		text = str_trim(str_of(text.ptr, (size_t)(end - text.ptr)));
		is_closed = true;
	}
	/* In "<path> must exist" it is a word. */
	while ((len = tag_len(text, 0)) > 0 &&
	    (is_closed || len == text.len || text.ptr[1] == '/' || text.ptr[len] != ' ' ||
		text.ptr[len + 1] == '<' || byte_is_upper(text.ptr[len + 1])))
		text = str_trim(str_rest(text, len));
	return text;
}

/* The bytes of the first piece of a sentence: up to the last mark between clauses, or the last
 * blank; all of it where there is neither. */
static size_t
piece_len(struct str sentence)
{
	size_t blank = 0;

	if (sentence.len <= SENTENCES_PIECE)
		return sentence.len;
	for (size_t end = SENTENCES_PIECE; end > SENTENCES_PIECE / 4; end--) {
		if (sentence.ptr[end] != ' ' && sentence.ptr[end] != '\n')
			continue;
		if (memchr(",;:", sentence.ptr[end - 1], 3) != NULL)
			return end;
		blank = blank > 0 ? blank : end;
	}
	return blank > 0 ? blank : sentence.len;
}

static void
see_sentence(const struct reader *reader, struct str sentence)
{
	sentence = sentences_bare(without_bullet(str_trim(sentence)));
	while (sentence.len > 0) {
		size_t len = piece_len(sentence);

		if (len <= SENTENCES_PIECE)
			reader->see(reader->context, str_trim(str_of(sentence.ptr, len)));
		sentence = str_trim(str_of(sentence.ptr + len, sentence.len - len));
	}
}

/* Whether the stop at p ends a word that is short for another one. */
static bool
is_abbreviation(const char *start, const char *p)
{
	static const struct str shorts[] = {
	    STR_INIT("e.g"), STR_INIT("i.e"), STR_INIT("etc"), STR_INIT("vs"), STR_INIT("cf")};

	for (size_t i = 0; i < ARRAY_COUNT(shorts); i++)
		if ((size_t)(p - start) >= shorts[i].len &&
		    memcmp(p - shorts[i].len, shorts[i].ptr, shorts[i].len) == 0)
			return true;
	return false;
}

static bool
is_stop(const char *start, const char *p)
{
	return *p == '!' || *p == '?' || (*p == '.' && !is_abbreviation(start, p));
}

/* The sentences of lines that belong together. A stop between quotes ends none. */
static void
see_lines(const struct reader *reader, struct str text)
{
	const char *p = text.ptr, *end = text.ptr + text.len, *start = p;
	size_t left = str_count(text, '"');
	bool is_quoted = false;

	while (p < end) {
		if (*p == '"') {
			left--;
			is_quoted = !is_quoted && left > 0;
		}
		if (!is_stop(start, p++) || is_quoted)
			continue;
		if (p < end && *p != ' ' && *p != '\n' &&
		    tag_len(text, (size_t)(p - text.ptr)) == 0)
			continue;
		see_sentence(reader, str_of(start, (size_t)(p - start)));
		start = p;
	}
	see_sentence(reader, str_of(start, (size_t)(end - start)));
}

/* Whether a sentence of the line goes on in the next one. */
static bool
is_wrapped(struct str line, struct str next)
{
	line = str_trim(line);
	next = str_trim(next);
	return line.len >= WRAPPED_LEAST && memchr(".!?:;|>", line.ptr[line.len - 1], 7) == NULL &&
	    next.len > 0 && byte_is_word(next.ptr[0]) && !byte_is_digit(next.ptr[0]);
}

/* The bytes of the first line and of those that go on with it. */
static size_t
lines_len(struct str text)
{
	struct str line = str_first_line(text);
	size_t len = line.len;

	while (len < text.len) {
		struct str next = str_first_line(str_of(text.ptr + len + 1, text.len - len - 1));

		if (!is_wrapped(line, next) || pasted_next(PASTED_NOT, next) != PASTED_NOT)
			break;
		line = next;
		len += 1 + next.len;
	}
	return len;
}

void
sentences_of(struct str text, void (*see)(void *context, struct str sentence), void *context)
{
	const struct reader reader = {see, context};
	enum pasted pasted = PASTED_NOT;

	while (text.len > 0) {
		struct str first = str_first_line(text);
		size_t len = first.len;

		pasted = pasted_next(pasted, first);
		if (pasted == PASTED_NOT) {
			len = lines_len(text);
			see_lines(&reader, str_of(text.ptr, len));
		}
		len += len < text.len;
		text = str_of(text.ptr + len, text.len - len);
	}
}
