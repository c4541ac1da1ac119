#include "policy/digest/line_class.h"

#include <stdint.h>

#include "base/byte.h"
#include "policy/build_check.h"
#include "policy/text/cut.h"

/* The bytes of a leading number with its mark: "12→", "12\t", "12: ", "12|"; 0: there is none. */
static size_t
numbered(struct str line)
{
	static const struct str marks[] = {STR_INIT("\xe2\x86\x92"), STR_INIT("\t"), STR_INIT(": "),
	    STR_INIT(":\t"), STR_INIT("|"), STR_INIT("  ")};
	size_t at = 0;

	while (at < line.len && byte_is_digit(line.ptr[at]))
		at++;
	if (at == 0 || at > 6)
		return 0;
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
		if (str_has_prefix(str_rest(line, at), marks[i]))
			return at + marks[i].len;
	return 0;
}

/* The line without the bar around it: "==== 2 passed ====", "---- lamp.c ----". */
static struct str
without_bar(struct str line)
{
	enum { LEAST = 3 };
	size_t start = 0, end = line.len;

	if (line.len == 0 || !byte_is_in(line.ptr[0], "=-_"))
		return line;
	while (start < end && line.ptr[start] == line.ptr[0])
		start++;
	while (end > start && line.ptr[end - 1] == line.ptr[0])
		end--;
	if (start < LEAST || line.len - end < LEAST)
		return line;
	return str_of(line.ptr + start, end - start);
}

struct str
line_class_bare(struct str line)
{
	static const struct str content = STR_INIT("<content>");

	line = str_trim(line);
	/* A client's element begins before the first number. */
	if (str_has_prefix(line, content) && numbered(str_rest(line, content.len)) > 0)
		line = str_rest(line, content.len);
	return str_trim(without_bar(str_trim(str_rest(line, numbered(line)))));
}

/* What lines begin with, by its first byte: texts between '|', or NULL. */
static const struct beginning {
	const char *noise;
	const char *hint; /* a client's note on a result, and not of the result itself */
	const char *comment;
	const char *definition;
} beginnings[256] = {
    ['"'] = {.noise = "\"integrity\"", .comment = "\"\"\""},
    ['#'] = {.noise = "#include", .comment = "# |## ", .definition = "#define "},
    ['('] = {.hint = "(no output)|(no content)|(Showing lines |(End of file|(File has more lines"},
    ['*'] = {.comment = "* "},
    ['-'] = {.comment = "--|- "},
    ['/'] = {.comment = "//|/*"},
    [';'] = {.comment = ";; "},
    ['<'] = {.noise = "</", .comment = "<!--"},
    ['>'] = {.comment = "> "},
    ['@'] = {.definition = "@"},
    ['A'] = {.definition = "ALTER "},
    ['C'] = {.definition = "CREATE "},
    ['['] = {.hint = "[no result]|[Showing lines "},
    ['a'] = {.definition = "async "},
    ['c'] = {.definition = "class "},
    ['d'] = {.definition = "def "},
    ['e'] = {.definition = "export |enum "},
    ['f'] = {.noise = "from ", .definition = "fn |func |function "},
    ['i'] = {.noise = "import |integrity", .definition = "interface |impl "},
    ['l'] = {.definition = "local function "},
    ['p'] = {.noise = "package ", .definition = "pub |public |private |protected "},
    ['r'] = {.noise = "require("},
    ['s'] = {.definition = "struct |static "},
    ['t'] = {.definition = "type |trait "},
    ['u'] = {.noise = "use |using "},
};

static const struct beginning *
beginning_of(struct str line)
{
	return &beginnings[(unsigned char)line.ptr[0]];
}

static bool
begins(struct str line, const char *texts)
{
	return texts != NULL && str_has_prefix_of(line, texts, '|');
}

/* The letters of a line, counted eight bytes at a time. A small letter is a byte whose highest bit
 * is set by adding 0x80 - 'a', and not by adding 0x7f - 'z'. Bytes of letters outside ASCII have
 * that bit. */
static size_t
letters_of(struct str line)
{
	const uint64_t each = UINT64_C(0x0101010101010101), high = each << 7;
	size_t letters = 0;

	while (line.len > 0) {
		size_t len = line.len < sizeof(uint64_t) ? line.len : sizeof(uint64_t);
		uint64_t bytes = 0, small;

		memcpy(&bytes, line.ptr, len);
		small = (bytes | each * 0x20) & ~high;
		small = (small + each * (0x80 - 'a')) & ~(small + each * (0x7f - 'z'));
		letters += (((small | bytes) & high) >> 7) * each >> 56;
		line = str_rest(line, len);
	}
	return letters;
}

static bool
has_digit(struct str line)
{
	size_t i = 0;

	while (i < line.len && !byte_is_digit(line.ptr[i]))
		i++;
	return i < line.len;
}

/* Whether there is little to read in it. */
static bool
is_few(struct str line, size_t letters)
{
	return letters < 5 || letters * 3 < line.len;
}

/* Whether a line with few words shows a value that an edit set. */
static bool
is_set(struct str line, enum line_class_origin origin)
{
	return origin == LINE_OF_EDIT &&
	    (has_digit(line) || memchr(line.ptr, '=', line.len) != NULL);
}

/* Whether it begins with how far a run is: "[2/7] ", "[ 12%] ". */
static bool
is_progress(struct str line)
{
	bool is_share;
	size_t at = 1;

	if (line.ptr[0] != '[')
		return false;
	while (at < line.len && byte_is_in(line.ptr[at], "0123456789/ "))
		at++;
	is_share = byte_is_digit(line.ptr[at - 1]) && at < line.len &&
	    (line.ptr[at] == '%' || memchr(line.ptr, '/', at) != NULL);
	at += is_share && line.ptr[at] == '%';
	return is_share && str_has_prefix(str_rest(line, at), STR("] "));
}

/* Whether it is a piece of a statement: beside keywords it has hardly a letter, and sets nothing:
 * "return f", "}, 100);". */
static bool
is_fragment(struct str line)
{
	enum { MOST = 24, NAMED = 4 };
	static const char keywords[] =
	    "return|break|continue|pass|else|end|try|finally|do|done|then|fi|esac|default|if|not|"
	    "undefined|null|nil|None|true|false|True|False|this|self|void|await|switch|case";
	size_t named = 0;

	if (line.len > MOST || memchr(line.ptr, '=', line.len) != NULL)
		return false;
	while (line.len > 0) {
		size_t len = 0;

		while (len < line.len &&
		    (byte_is_word(line.ptr[len]) || byte_is_any_letter(line.ptr[len])))
			len++;
		if (!str_is_word_of(str_of(line.ptr, len), keywords, '|'))
			named += len;
		line = str_rest(line, len + (len < line.len));
	}
	return named < NAMED;
}

/* Whether it has so many bytes without a blank that they are no words. */
static bool
is_unbroken(struct str line)
{
	enum { MOST = 160 };

	while (line.len > MOST) {
		const char *blank = memrchr(line.ptr, ' ', MOST + 1);

		if (blank == NULL)
			return true;
		line = str_rest(line, (size_t)(blank + 1 - line.ptr));
	}
	return false;
}

static bool
is_noise(struct str line, enum line_class_origin origin)
{
	const struct beginning *beginning = beginning_of(line);

	return is_unbroken(line) || (origin == LINE_OF_OUTPUT && build_check_has_passed(line)) ||
	    (origin != LINE_OF_EDIT && (is_progress(line) || begins(line, beginning->hint))) ||
	    begins(line, beginning->noise);
}

/* Whether the line has so many words, each of three letters and more. */
static bool
has_words(struct str line, unsigned words)
{
	enum { LEAST = 3 };

	for (size_t at = 0; at < line.len && words > 0; at++) {
		unsigned letters = 0;

		for (; at < line.len && line.ptr[at] != ' '; at++)
			letters += byte_is_any_letter(line.ptr[at]);
		words -= letters >= LEAST;
	}
	return words == 0;
}

/* A line with a mark, or prose: words for the most part, and no sign of code. */
static bool
is_comment(struct str line, size_t letters)
{
	enum { MARKED = 3, PROSE = 5 };

	return (begins(line, beginning_of(line)->comment) && has_words(line, MARKED)) ||
	    (letters * 10 > line.len * 7 && memchr("{;(=", line.ptr[line.len - 1], 4) == NULL &&
		has_words(line, PROSE));
}

/* Whether a literal follows the mark: a number, a quoted text, true or false. */
static bool
has_literal(struct str line, char mark)
{
	static const struct str literals[] = {STR_INIT("true"), STR_INIT("false"), STR_INIT("True"),
	    STR_INIT("False"), STR_INIT("null"), STR_INIT("None"), STR_INIT("Some("),
	    STR_INIT("r\""), STR_INIT("r'"), STR_INIT("re.")};
	const char *end = line.ptr + line.len, *at = line.ptr;

	while (end - at > 2 && (at = memchr(at + 1, mark, (size_t)(end - at) - 2)) != NULL) {
		struct str rest = str_trim(str_of(at + 1, (size_t)(end - at) - 1));

		if (rest.len > 0 &&
		    (memchr("\"'`-", rest.ptr[0], 4) != NULL || byte_is_digit(rest.ptr[0]) ||
			STR_HAS_ANY_PREFIX(rest, literals)))
			return true;
	}
	return false;
}

static bool
is_value(struct str line)
{
	return has_literal(line, '=') || has_literal(line, ':');
}

static bool
is_outcome(struct str line)
{
	static const struct str words[] = {STR_INIT(" passed"), STR_INIT(" failed"),
	    STR_INIT(" changed"), STR_INIT("On branch "), STR_INIT(" -> "), STR_INIT("uccessfully"),
	    STR_INIT("Done"), STR_INIT("OK"), STR_INIT("version"), STR_INIT("not found"),
	    STR_INIT("No such")};

	return STR_HAS_ANY(line, words) ||
	    (line.ptr[0] == '[' && str_find(line, STR("] ")) != NULL);
}

enum line_class
line_class_of(struct str line, enum line_class_origin origin)
{
	enum { TELLING = 4 };
	bool is_output = origin == LINE_OF_OUTPUT;
	size_t letters = letters_of(line);

	if (line.len == 0)
		return LINE_NOISE;
	if (is_output && letters >= TELLING && cut_tells_of_error(line))
		return LINE_ERROR;
	if (is_noise(line, origin) || (origin == LINE_OF_EDIT && is_fragment(line)) ||
	    (is_few(line, letters) && !is_set(line, origin)))
		return LINE_NOISE;
	if (is_output && is_outcome(line))
		return LINE_OUTCOME;
	if (is_comment(line, letters))
		return LINE_COMMENT;
	if (is_few(line, letters) || is_value(line))
		return LINE_VALUE;
	return begins(line, beginning_of(line)->definition) ? LINE_DEFINITION : LINE_CODE;
}

enum line_class
line_class_of_whole(struct str line, enum line_class_origin origin)
{
	enum line_class class = line_class_of(line, origin);
	size_t letters = letters_of(line);
	bool is_said = letters > 0 || has_digit(line);

	return class == LINE_NOISE && is_said && is_few(line, letters) && !is_noise(line, origin) ?
	    LINE_VALUE :
	    class;
}

/* Whether the line has nothing beside the words of a verdict, and a sign such as ✗. */
static bool
is_verdict(struct str line)
{
	static const struct str words[] = {STR_INIT("FAIL"), STR_INIT("FAILED"),
	    STR_INIT("FAILURE"), STR_INIT("FAILURES"), STR_INIT("ERROR"), STR_INIT("ERRORS"),
	    STR_INIT("Error"), STR_INIT("Errors"), STR_INIT("error"), STR_INIT("Failed"),
	    STR_INIT("failed")};
	enum { SIGN = 4 }; /* bytes of a letter that is no ASCII */
	size_t count = 0, foreign = 0;

	for (size_t at = 0, end; at < line.len; at = end) {
		for (end = at; end < line.len && byte_is_letter(line.ptr[end]);)
			end++;
		if (end == at) {
			foreign += (line.ptr[end] & 0x80) != 0;
			if (byte_is_digit(line.ptr[end++]) || foreign > SIGN)
				return false;
			continue;
		}
		if (!STR_IS_ONE_OF(str_of(line.ptr + at, end - at), words))
			return false;
		count++;
	}
	return count > 0;
}

struct str
line_class_cause(struct str line, struct str rest)
{
	static const struct str trace = STR_INIT("Traceback (most recent call last)");
	bool is_trace = str_has_prefix(line, trace);
	struct str next;

	if (!is_trace && !is_verdict(line))
		return line;
	while (rest.len > 0) {
		next = str_take_line(&rest);
		/* The cause after another trace belongs to that one. */
		if (is_trace && str_has_prefix(str_trim(next), trace))
			return line;
		if (str_trim(next).len > 0 && !(is_trace && byte_is_in(next.ptr[0], " \t")))
			return str_trim(next);
	}
	return line;
}
