#include "policy/summarizer/names.h"

#include <stdint.h>

#include "base/byte.h"

enum { NAME_LEAST = 4, NUMBER_LEAST = 3, HASH_LEAST = 7, NAME_MOST = 120 };

/* The kinds of bytes in a run; a run is the text between bytes that are in no name. */
enum byte {
	BYTE_NONE,
	BYTE_LOWER,
	BYTE_UPPER,
	BYTE_DIGIT,
	BYTE_UNDERSCORE,
	BYTE_DOT,
	BYTE_SLASH,
	BYTE_DASH,
	BYTE_OTHER,
	BYTE_BACKSLASH /* in no name either */
};

static enum byte
byte_of(char c)
{
	static const uint8_t bytes[256] = {['a' ... 'z'] = BYTE_LOWER,
	    ['A' ... 'Z'] = BYTE_UPPER,
	    ['0' ... '9'] = BYTE_DIGIT,
	    ['_'] = BYTE_UNDERSCORE,
	    ['.'] = BYTE_DOT,
	    ['/'] = BYTE_SLASH,
	    ['-'] = BYTE_DASH,
	    ['@'] = BYTE_OTHER,
	    ['+'] = BYTE_OTHER,
	    ['~'] = BYTE_OTHER,
	    ['\\'] = BYTE_BACKSLASH};

	return (enum byte)bytes[(unsigned char)c];
}

static bool
is_letter(enum byte byte)
{
	return byte == BYTE_LOWER || byte == BYTE_UPPER;
}

static bool
is_alnum(enum byte byte)
{
	return is_letter(byte) || byte == BYTE_DIGIT;
}

static bool
has_extension(struct str name)
{
	static const char known[] =
	    " c h cc cpp hpp cs css csv go html ini java js json jsonl jsx kt lock log lua md mjs "
	    "php pl py rb rs rst scss sh sql svg swift tcl toml ts tsv tsx txt vue xml yaml yml "
	    "zig ";
	const char *dot = memrchr(name.ptr, '.', name.len);
	char wanted[8];
	size_t len;

	if (dot == NULL || dot == name.ptr)
		return false;
	len = (size_t)(name.ptr + name.len - dot - 1);
	if (len == 0 || len > sizeof wanted - 2)
		return false;
	wanted[0] = ' ';
	memcpy(wanted + 1, dot + 1, len);
	wanted[len + 1] = ' ';
	return memmem(known, sizeof known - 1, wanted, len + 2) != NULL;
}

static bool
is_flag(struct str name)
{
	return name.len > 3 && name.ptr[0] == '-' && name.ptr[1] == '-' &&
	    byte_of(name.ptr[2]) == BYTE_LOWER;
}

/* Upper letters, then digits alone: an error code. */
static bool
is_code(struct str name)
{
	size_t i = 0;

	while (i < name.len && byte_of(name.ptr[i]) == BYTE_UPPER)
		i++;
	if (i == 0 || i + 2 > name.len)
		return false;
	while (i < name.len && byte_of(name.ptr[i]) == BYTE_DIGIT)
		i++;
	return i == name.len;
}

/* Whether the byte is somewhere between letters, or between digits or letters. */
static bool
has_between(struct str name, char byte, bool (*is_side)(enum byte side))
{
	for (size_t i = 1; i + 1 < name.len; i++)
		if (name.ptr[i] == byte && is_side(byte_of(name.ptr[i - 1])) &&
		    is_side(byte_of(name.ptr[i + 1])))
			return true;
	return false;
}

/* Whether an upper letter follows a lower one. */
static bool
has_humps(struct str name)
{
	for (size_t i = 1; i < name.len; i++)
		if (byte_of(name.ptr[i]) == BYTE_UPPER && byte_of(name.ptr[i - 1]) == BYTE_LOWER)
			return true;
	return false;
}

static bool
is_hash(struct str name)
{
	for (size_t i = 0; i < name.len; i++)
		if (byte_of(name.ptr[i]) != BYTE_DIGIT && (name.ptr[i] < 'a' || name.ptr[i] > 'f'))
			return false;
	return name.len >= HASH_LEAST;
}

enum {
	SET_LETTERS = 1 << BYTE_LOWER | 1 << BYTE_UPPER,
	SET_PURE = SET_LETTERS | 1 << BYTE_DIGIT | 1 << BYTE_DOT
};

/* What the bytes are, as bits. */
static unsigned
set_of(struct str run)
{
	unsigned set = 0;

	for (size_t i = 0; i < run.len; i++)
		set |= 1u << byte_of(run.ptr[i]);
	return set;
}

static bool
is_number(struct str name, unsigned set)
{
	unsigned digits = 0;

	if ((set & ~(unsigned)SET_PURE) != 0)
		return false;
	for (size_t i = 0; i < name.len; i++)
		digits += byte_of(name.ptr[i]) == BYTE_DIGIT;
	return digits >= NUMBER_LEAST || has_between(name, '.', is_alnum);
}

/* set is that of the name: most questions need no look at the bytes. */
static bool
is_name(struct str name, unsigned set)
{
	bool has_digits = (set & 1u << BYTE_DIGIT) != 0;
	bool has_dots = (set & 1u << BYTE_DOT) != 0;
	bool is_snake, is_dotted;

	if ((set & SET_LETTERS) == 0)
		return is_number(name, set);
	if (name.len < NAME_LEAST)
		return false;
	is_snake = (set & 1u << BYTE_UNDERSCORE) != 0 && has_between(name, '_', is_alnum);
	is_dotted = has_dots && has_between(name, '.', is_alnum);
	if ((set & 1u << BYTE_SLASH) != 0)
		return is_dotted || is_snake || has_digits ||
		    memchr("/.~", name.ptr[0], 3) != NULL ||
		    memchr(name.ptr, '/', name.len) != memrchr(name.ptr, '/', name.len);
	if (is_snake || is_flag(name) || ((set & 1u << BYTE_UPPER) != 0 && has_humps(name)))
		return true;
	if (has_dots &&
	    (has_extension(name) ||
		(name.len > NAME_LEAST + 1 && has_between(name, '.', is_letter))))
		return true;
	return has_digits && (is_code(name) || is_hash(name) || (is_dotted && name.ptr[0] == 'v'));
}

/* Whether a name may begin here: with a letter, a digit, "--flag", "/x", "./", "../" or "~/". */
static bool
begins_name(struct str run)
{
	if (is_alnum(byte_of(run.ptr[0])) || run.ptr[0] == '_' || is_flag(run))
		return true;
	if (run.ptr[0] == '/')
		return run.len > 1 && byte_of(run.ptr[1]) != BYTE_SLASH;
	return str_has_prefix(run, STR("./")) || str_has_prefix(run, STR("../")) ||
	    str_has_prefix(run, STR("~/"));
}

/* The run without punctuation at its ends. */
static struct str
trim(struct str run)
{
	while (run.len > 0 && !begins_name(run))
		run = str_of(run.ptr + 1, run.len - 1);
	while (
	    run.len > 0 && !is_alnum(byte_of(run.ptr[run.len - 1])) && run.ptr[run.len - 1] != '_')
		run.len--;
	return run;
}

/* The bytes of an escape at p, the backslashes of all levels of nesting with it. */
static size_t
escape_len(const char *p, const char *end)
{
	const char *at = p;

	while (at < end && *at == '\\')
		at++;
	if (at < end && *at == 'u' && end - at > 4)
		return (size_t)(at - p) + 5;
	return (size_t)(at - p) + (at < end && byte_is_in(*at, "nrtbf"));
}

/* Takes the next run off the text that is not of lower letters alone, which is a word; its set too.
 * False at the end of the text. */
static bool
next_run(struct str *text, struct str *run, unsigned *set)
{
	const char *start = text->ptr, *p = start, *end = p + text->len;

	for (;;) {
		while (p < end && byte_of(*p) <= BYTE_LOWER)
			p++;
		if (p == end)
			return false;
		if (*p != '\\')
			break;
		p += escape_len(p, end);
		start = p;
	}
	while (p > start && byte_of(p[-1]) == BYTE_LOWER)
		p--;
	run->ptr = p;
	for (*set = 0; p < end && byte_of(*p) != BYTE_NONE && byte_of(*p) != BYTE_BACKSLASH; p++)
		*set |= 1u << byte_of(*p);
	run->len = (size_t)(p - run->ptr);
	*text = str_of(p, (size_t)(end - p));
	return true;
}

/* Takes the next name off the text; false at its end. */
static bool
next(struct str *text, struct str *name)
{
	struct str run;
	unsigned set;

	while (next_run(text, &run, &set)) {
		if (run.len < NUMBER_LEAST)
			continue;
		*name = trim(run);
		if (name->len < NUMBER_LEAST || name->len > NAME_MOST)
			continue;
		if (is_name(*name, name->len < run.len ? set_of(*name) : set))
			return true;
	}
	return false;
}

void
names_of_text(struct str text, bool (*found)(void *context, struct str name), void *context)
{
	struct str name;

	while (next(&text, &name) && found(context, name))
		;
}
