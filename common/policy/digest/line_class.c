#include "policy/digest/line_class.h"

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
	for (size_t i = 0; i < ARRAY_COUNT(marks); i++)
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

/* What a line is made of. */
struct line_shape {
	size_t letters, words; /* a word is three letters and more, after a blank */
	size_t longest;        /* bytes without a blank */
};

static struct line_shape
shape_of(struct str line)
{
	struct line_shape shape = {0, 0, 0};

	for (size_t i = 0; i < line.len; i++) {
		size_t start = i, letters = 0;

		for (; i < line.len && line.ptr[i] != ' '; i++)
			letters += byte_is_any_letter(line.ptr[i]);
		if (i - start > shape.longest)
			shape.longest = i - start;
		shape.letters += letters;
		shape.words += letters >= 3;
	}
	return shape;
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
is_few(struct str line, const struct line_shape *shape)
{
	return shape->letters < 5 || shape->letters * 3 < line.len;
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

/* Whether the line is a client's note on a result, and not of the result itself. */
static bool
is_hint(struct str line)
{
	static const char hints[] =
	    "(no output)|(no content)|[no result]|(Showing lines |[Showing lines |"
	    "(End of file|(File has more lines";

	return str_has_prefix_of(line, hints, '|');
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

static bool
is_noise(struct str line, const struct line_shape *shape, enum line_class_origin origin)
{
	static const char imports[] =
	    "import |from |#include|use |using |require(|package |</|integrity|"
	    "\"integrity\"";

	return shape->longest > 160 || (origin == LINE_OF_OUTPUT && build_check_has_passed(line)) ||
	    (origin != LINE_OF_EDIT && (is_progress(line) || is_hint(line))) ||
	    str_has_prefix_of(line, imports, '|');
}

static bool
is_comment(struct str line, const struct line_shape *shape)
{
	static const char marks[] = "//|/*|* |# |## |--|\"\"\"|<!--|;; |- |> ";

	if (shape->words < 3)
		return false;
	/* Prose: words for the most part, and no sign of code. */
	return str_has_prefix_of(line, marks, '|') ||
	    (shape->words >= 5 && shape->letters * 10 > line.len * 7 &&
		memchr("{;(=", line.ptr[line.len - 1], 4) == NULL);
}

static bool
is_definition(struct str line)
{
	static const char words[] =
	    "def |class |fn |pub |func |function |export |struct |enum |interface |type |"
	    "impl |trait |async |static |public |private |protected |#define |CREATE |"
	    "ALTER |local function |@";

	return str_has_prefix_of(line, words, '|');
}

/* Whether a literal follows the first "=" or ":": a number, a quoted text, true or false. */
static bool
is_value(struct str line)
{
	static const char literals[] = "true|false|True|False|null|None|Some(|r\"|r'|re.";

	for (size_t i = 1; i + 1 < line.len; i++) {
		struct str rest;

		if (line.ptr[i] != '=' && line.ptr[i] != ':')
			continue;
		rest = str_trim(str_rest(line, i + 1));
		if (rest.len > 0 &&
		    (memchr("\"'`-", rest.ptr[0], 4) != NULL || byte_is_digit(rest.ptr[0])))
			return true;
		if (str_has_prefix_of(rest, literals, '|'))
			return true;
	}
	return false;
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
	bool is_output = origin == LINE_OF_OUTPUT;
	struct line_shape shape;

	if (line.len == 0)
		return LINE_NOISE;
	shape = shape_of(line);
	if (is_output && shape.letters >= 4 && cut_tells_of_error(line))
		return LINE_ERROR;
	if (is_noise(line, &shape, origin) || (origin == LINE_OF_EDIT && is_fragment(line)) ||
	    (is_few(line, &shape) && !is_set(line, origin)))
		return LINE_NOISE;
	if (is_output && is_outcome(line))
		return LINE_OUTCOME;
	if (is_comment(line, &shape))
		return LINE_COMMENT;
	if (is_value(line) || is_few(line, &shape))
		return LINE_VALUE;
	return is_definition(line) ? LINE_DEFINITION : LINE_CODE;
}

enum line_class
line_class_of_whole(struct str line, enum line_class_origin origin)
{
	enum line_class class = line_class_of(line, origin);
	struct line_shape shape = shape_of(line);
	bool is_said = shape.letters > 0 || has_digit(line);

	return class == LINE_NOISE && is_said && is_few(line, &shape) &&
		!is_noise(line, &shape, origin) ?
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
