#include "policy/text/pasted.h"

#include <string.h>

#include "base/byte.h"

/* The text up to the first blank. */
static struct str
first_token(struct str text)
{
	size_t len = 0;

	while (len < text.len && text.ptr[len] != ' ' && text.ptr[len] != '\t')
		len++;
	return str_of(text.ptr, len);
}

/* Whether the mark followed by a digit is in the text. */
static bool
has_numbered(struct str text, char mark)
{
	for (size_t i = 0; i + 1 < text.len; i++)
		if (text.ptr[i] == mark && byte_is_digit(text.ptr[i + 1]))
			return true;
	return false;
}

static bool
is_json(struct str line)
{
	const char *name =
	    line.ptr[0] == '"' && line.len > 1 ? memchr(line.ptr + 1, '"', line.len - 1) : NULL;

	if (line.ptr[0] == '{' || line.ptr[0] == '}')
		return true;
	return name != NULL && name + 1 < line.ptr + line.len && name[1] == ':';
}

/* An element with an attribute, a comment, or an element that HTML has. */
static bool
is_html(struct str line)
{
	static const char elements[] =
	    "a|article|aside|b|body|br|button|div|em|figure|footer|form|h1|h2|h3|h4|h5|h6|head|"
	    "header|hr|html|i|img|input|label|li|link|main|meta|nav|ol|option|p|script|select|"
	    "small|span|strong|style|svg|table|tbody|td|textarea|th|thead|tr|ul";
	const char *end = line.ptr[0] == '<' ? memchr(line.ptr, '>', line.len) : NULL;
	size_t at = 1, len = 0;

	if (str_has_prefix(line, STR("<!")))
		return true;
	if (end == NULL)
		return false;
	at += line.ptr[at] == '/';
	while (byte_is_letter(line.ptr[at + len]) || byte_is_digit(line.ptr[at + len]))
		len++;
	return str_is_word_of(str_of(line.ptr + at, len), elements, '|') ||
	    (len > 0 && memchr(line.ptr, '=', (size_t)(end - line.ptr)) != NULL);
}

/* Whether the line begins with a time such as 12:00:01, or with a date and a time. */
static bool
begins_time(struct str line)
{
	enum { DATE_MOST = 16 };
	static const struct str months[] = {STR_INIT("Jan "), STR_INIT("Feb "), STR_INIT("Mar "),
	    STR_INIT("Apr "), STR_INIT("May "), STR_INIT("Jun "), STR_INIT("Jul "),
	    STR_INIT("Aug "), STR_INIT("Sep "), STR_INIT("Oct "), STR_INIT("Nov "),
	    STR_INIT("Dec ")};
	static const char form[] = "00:00:00";
	size_t at = STR_HAS_ANY_PREFIX(line, months) ? 4 : 0, k;

	for (; at < DATE_MOST && at + sizeof form - 1 <= line.len; at++) {
		for (k = 0; form[k] != '\0'; k++)
			if (form[k] == ':' ? line.ptr[at + k] != ':' :
					     !byte_is_digit(line.ptr[at + k]))
				break;
		if (form[k] == '\0')
			return true;
		if (!byte_is_digit(line.ptr[at]) && memchr("-/.:T[( ", line.ptr[at], 8) == NULL)
			return false;
	}
	return false;
}

/* Whether the token is the name of an error, a place in a file, or a hash. */
static bool
is_diagnostic(struct str token)
{
	static const struct str names[] = {
	    STR_INIT("Error:"), STR_INIT("Exception:"), STR_INIT("Warning:")};
	size_t digits = 0, letters = 0;

	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (str_has_suffix(token, names[i]) && (i == 0 || token.len > names[i].len))
			return true;
	if (token.len > 0 && token.ptr[token.len - 1] == ':' &&
	    (has_numbered(token, ':') || has_numbered(token, '(')))
		return true;
	for (size_t i = 0; i < token.len; i++) {
		digits += byte_is_digit(token.ptr[i]);
		letters += token.ptr[i] >= 'a' && token.ptr[i] <= 'f';
	}
	return token.len >= 7 && digits > 0 && letters > 0 && digits + letters == token.len;
}

/* Whether the line begins with the number of a line of a file: "12|", "12→". */
static bool
is_numbered(struct str line)
{
	size_t at = 0;

	while (at < line.len && byte_is_digit(line.ptr[at]))
		at++;
	line = str_of(line.ptr + at, line.len - at);
	return at > 0 &&
	    (str_has_prefix(line, STR("|")) || str_has_prefix(line, STR("\xe2\x86\x92")));
}

/* "level=info msg=…" */
static bool
is_pairs(struct str line)
{
	struct str token = first_token(line);
	size_t pairs = 0;

	while (token.len > 0 && memchr(token.ptr, '=', token.len) != NULL) {
		pairs++;
		line = str_trim(str_of(line.ptr + token.len, line.len - token.len));
		token = first_token(line);
	}
	return pairs > 1;
}

/* A line of a log, of a compiler or of tests. */
static bool
is_log(struct str line)
{
	static const char levels[] =
	    "ERROR|FATAL|DEBUG|TRACE|INFO|WARN|SEVERE|FAIL|FAILED|PASS|PASSED|ERROR:|FATAL:|DEBUG:|"
	    "TRACE:|INFO:|WARN:|error:|fatal:|warning:|[ERROR]|[FATAL]|[DEBUG]|[TRACE]|[INFO]|"
	    "remote:|[WARN]|[WARNING]|[error]|[debug]|[info]|[warn]|[warning]";
	static const struct str starts[] = {STR_INIT("npm ERR!"), STR_INIT("npm WARN"),
	    STR_INIT("npm error"), STR_INIT("npm warn"), STR_INIT("not ok "), STR_INIT("E   "),
	    STR_INIT("\xe2\x9c\x93 "), STR_INIT("\xe2\x9c\x94 "), STR_INIT("\xe2\x9c\x95 "),
	    STR_INIT("\xe2\x9c\x97 "), STR_INIT("\xe2\x9c\x98 "), STR_INIT("Uncaught ")};
	struct str token = first_token(line);

	return str_is_word_of(token, levels, '|') || STR_HAS_ANY_PREFIX(line, starts) ||
	    (str_eq(token, STR("ok")) && line.len > 3 && byte_is_digit(line.ptr[3])) ||
	    begins_time(line) || is_diagnostic(token) || is_pairs(line);
}

/* "at f (a.js:1:2)", 'File "a.py", line 3' */
static bool
is_frame(struct str line)
{
	char last = line.ptr[line.len - 1];

	return str_has_prefix(line, STR("File \"")) ||
	    (str_has_prefix(line, STR("at ")) && (last == ')' || byte_is_digit(last)) &&
		has_numbered(line, ':'));
}

static bool
is_code(struct str line)
{
	static const struct str starts[] = {STR_INIT("//"), STR_INIT("/*"), STR_INIT(">>> ")};
	char last = line.ptr[line.len - 1];

	return STR_HAS_ANY_PREFIX(line, starts) || str_find(line, STR("; //")) != NULL ||
	    ((last == ';' || last == '{') &&
		(memchr(line.ptr, '=', line.len) != NULL ||
		    memchr(line.ptr, '(', line.len) != NULL));
}

/* What a program draws: a line of a box, a wheel that turns. */
static bool
is_drawn(struct str line)
{
	static const struct str starts[] = {
	    STR_INIT("\xe2\x94"), STR_INIT("\xe2\x95"), STR_INIT("\xe2\xa0")};

	return STR_HAS_ANY_PREFIX(line, starts);
}

/* A path between quotes, as a terminal writes a file that is dropped on it. */
static bool
is_path(struct str line)
{
	char quote = line.ptr[0];

	return line.len > 3 && (quote == '\'' || quote == '"') && line.ptr[line.len - 1] == quote &&
	    (line.ptr[1] == '/' || line.ptr[1] == '~') &&
	    memchr(line.ptr + 1, quote, line.len - 2) == NULL;
}

/* "+314 - Tips", "+ 8 x = 1;"; not "+1 for this". */
static bool
is_added(struct str line)
{
	size_t at = 1, digits;

	if (line.ptr[0] != '+')
		return false;
	while (at < line.len && line.ptr[at] == ' ')
		at++;
	digits = at;
	while (at < line.len && byte_is_digit(line.ptr[at]))
		at++;
	digits = at - digits;
	return digits > 0 && at > 2 && (at == line.len || line.ptr[at] == ' ');
}

static bool
begins_diff(struct str line)
{
	static const struct str starts[] = {STR_INIT("diff --git "), STR_INIT("@@ -"),
	    STR_INIT("+++ "), STR_INIT("--- a/"), STR_INIT("--- /dev/null"),
	    STR_INIT("*** Begin Patch"), STR_INIT("*** Update File: ")};

	return STR_HAS_ANY_PREFIX(line, starts);
}

/* A stack trace, or a command and its output. */
static bool
begins_output(struct str line)
{
	static const struct str starts[] = {STR_INIT("$ "), STR_INIT("\xe2\x9e\x9c "),
	    STR_INIT("\xe2\x9d\xaf "), STR_INIT("error["), STR_INIT("warning["),
	    STR_INIT("Traceback (most recent call last)"), STR_INIT("goroutine "),
	    STR_INIT("panic: "), STR_INIT("thread '"), STR_INIT("Exception in thread"),
	    STR_INIT("Caused by:"), STR_INIT("stack backtrace:"), STR_INIT("Stack trace:")};

	return STR_HAS_ANY_PREFIX(line, starts);
}

/* Whether the line is indented, and no item of a list. */
static bool
is_indented(struct str line, struct str text)
{
	size_t indent = (size_t)(text.ptr - line.ptr);

	return (indent > 1 || (indent > 0 && line.ptr[0] == '\t')) &&
	    !(text.len > 1 && memchr("-*+", text.ptr[0], 3) != NULL && text.ptr[1] == ' ') &&
	    !byte_is_digit(text.ptr[0]);
}

enum pasted
pasted_next(enum pasted before, struct str line)
{
	struct str text = str_trim(line);
	bool is_fence = str_has_prefix(text, STR("```")) || str_has_prefix(text, STR("~~~"));

	if (before == PASTED_FENCED)
		return is_fence ? PASTED_END : PASTED_FENCED;
	if (is_fence)
		return PASTED_FENCED;
	if (begins_diff(line) ||
	    (before == PASTED_DIFF && line.len > 0 && memchr("+- @\\", line.ptr[0], 5) != NULL))
		return PASTED_DIFF;
	if (text.len == 0)
		return PASTED_NOT;
	if (is_added(text))
		return PASTED_DIFF;
	if (before == PASTED_OUTPUT || begins_output(text))
		return PASTED_OUTPUT;
	if (is_numbered(text) || is_json(text) || is_html(text) || is_frame(text) ||
	    is_code(text) || is_log(text) || is_drawn(text) || is_path(text) ||
	    (before == PASTED_LINE && is_indented(line, text)))
		return PASTED_LINE;
	return text.ptr[0] == '>' ? PASTED_END : PASTED_NOT;
}

struct str
pasted_skip(struct str text)
{
	enum pasted pasted = PASTED_NOT;
	struct str rest = text;

	while (rest.len > 0) {
		struct str own = rest, line = str_take_line(&rest);

		pasted = pasted_next(pasted, line);
		if (pasted == PASTED_NOT && str_trim(line).len > 0)
			return own;
	}
	return text;
}
