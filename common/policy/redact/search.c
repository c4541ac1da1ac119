#include "policy/redact/search.h"

#include "base/byte.h"
#include "policy/secret/prose.h"

void
search_open(struct search *text, const char *start, const char *end)
{
	*text = (struct search){.start = start, .end = end, .free = start, .at = start};
}

bool
search_is_block(const struct search *text, const char *p)
{
	static const struct str head = STR_INIT("-----BEGIN ");

	return *p == '-' && str_has_prefix(str_of(p, (size_t)(text->end - p)), head);
}

const char *
search_run_noted(struct search *text, struct search_run *run, const char *p, enum alphabet alphabet)
{
	const char *end = p;

	if (run->from != NULL && p >= run->from && p <= run->end)
		return run->end;
	while (end < text->end && alphabet_has(alphabet, *end) && !search_is_block(text, end))
		end++;
	*run = (struct search_run){p, end};
	return end;
}

const char *
search_run_end(struct search *text, const char *p, enum alphabet alphabet)
{
	return search_run_noted(text, &text->run[alphabet], p, alphabet);
}

/* Whether the letter in front of p ends the escape of a colour. */
static bool
ends_colour(const struct search *text, const char *p)
{
	enum { LONGEST = 16 };
	const char *least = p - text->free > LONGEST ? p - LONGEST : text->free;

	if (p[-1] != 'm' && p[-1] != 'K')
		return false;
	for (p -= 2; p > least && (alphabet_has(ALPHABET_DIGIT, *p) || *p == ';'); p--)
		;
	return p > least && *p == '[' && p[-1] == '\x1b';
}

bool
search_begins(const struct search *text, const char *p)
{
	size_t before = (size_t)(p - text->free);

	if (before == 0 || !alphabet_has(ALPHABET_ALNUM, p[-1]))
		return true;
	if (before >= 2 && p[-2] == '\\')
		return true;
	return ends_colour(text, p);
}

enum { PAYLOAD_MIN = 256 };

static bool
is_base64(char c)
{
	return c != '=' && alphabet_has(ALPHABET_BASE64, c);
}

/* The start of the run of base64 that ends at p, if it is at most PAYLOAD_MIN bytes away. */
static const char *
run_start(const struct search *text, const char *p)
{
	const char *least = p - text->free > PAYLOAD_MIN ? p - PAYLOAD_MIN : text->free;

	while (p > least && is_base64(p[-1]))
		p--;
	return p;
}

/* Whether the bytes are a line of base64 that was wrapped, and no hash. */
static bool
is_wrapped(const char *start, const char *end)
{
	return (end - start == 64 || end - start == 76) &&
	    !prose_is_hash(str_of(start, (size_t)(end - start)));
}

static bool
is_wrapped_line(const struct search *text, const char *start, const char *end)
{
	return is_wrapped(start, end) && (start == text->free || start[-1] == '\n') &&
	    (end == text->end || *end == '\r' || *end == '\n');
}

bool
search_in_payload(const struct search *text, const char *p)
{
	static const struct str mark = STR_INIT(";base64,");
	const char *start = run_start(text, p), *end = p, *before = start;

	if (!is_base64(*p))
		return false;
	if ((size_t)(start - text->free) >= mark.len &&
	    memcmp(start - mark.len, mark.ptr, mark.len) == 0)
		return true;
	while (end < text->end && end - start < PAYLOAD_MIN && is_base64(*end))
		end++;
	if (p > start && (end - start == PAYLOAD_MIN || is_wrapped_line(text, start, end)))
		return true;
	before -= before > text->free && before[-1] == '\n';
	before -= before < start && before > text->free && before[-1] == '\r';
	return before < start && is_wrapped(run_start(text, before), before);
}

const char *
search_pass_line_end(const struct search *text, const char *p)
{
	const char *at = p;

	if (at < text->end && *at == '\r')
		at++;
	if (at < text->end && *at == '\n')
		return at + 1;
	while (at < text->end && *at == '\\')
		at++;
	return at > p && at < text->end && *at == 'n' ? at + 1 : NULL;
}

bool
search_is_word(const struct search *text, const char *p, struct str word)
{
	if ((size_t)(text->end - p) < word.len)
		return false;
	for (size_t i = 0; i < word.len; i++)
		if (p[i] != word.ptr[i] && !(byte_is_letter(p[i]) && (p[i] | 0x20) == word.ptr[i]))
			return false;
	return true;
}
