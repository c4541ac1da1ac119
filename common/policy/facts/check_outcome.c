#include "policy/facts/check_outcome.h"

#include <strings.h>

#include "base/byte.h"
#include "data/message/tool_output.h"
#include "policy/build_check.h"
#include "policy/digest/line_class.h"

enum said {
	SAID_NOTHING,
	SAID_PASSED, /* it came to its end */
	SAID_COUNT,  /* so many passed, or none failed */
	SAID_ERROR,
	SAID_FAILED, /* so many failed */
};

static bool
is_digit_at(struct str line, size_t at)
{
	return at < line.len && byte_is_digit(line.ptr[at]);
}

static bool
is_letter_at(struct str line, size_t at)
{
	return at < line.len && byte_is_letter(line.ptr[at]);
}

/* The bytes of the line from there on. */
static struct str
from_byte(struct str line, size_t at)
{
	return at < line.len ? str_of(line.ptr + at, line.len - at) : STR("");
}

static bool
begins(struct str text, struct str word)
{
	/* Most differ in the first letter. */
	return text.len >= word.len && byte_lower(*text.ptr) == byte_lower(*word.ptr) &&
	    strncasecmp(text.ptr, word.ptr, word.len) == 0;
}

/* The meaning of a number of that word; is_zero: the number is 0. */
static enum said
said_by_count(struct str word, bool is_zero)
{
	static const struct str failing[] = {
	    STR_INIT("fail"), STR_INIT("error"), STR_INIT("problem")};
	static const struct str passing[] = {
	    STR_INIT("passed"), STR_INIT("passing"), STR_INIT("pass"), STR_INIT("succeeded")};

	for (size_t i = 0; i < ARRAY_COUNT(failing); i++)
		if (begins(word, failing[i]))
			return is_zero ? SAID_COUNT : i == 0 ? SAID_FAILED : SAID_ERROR;
	for (size_t i = 0; i < ARRAY_COUNT(passing); i++)
		if (begins(word, passing[i]))
			return SAID_COUNT;
	return begins(word, STR("changed")) ? SAID_PASSED : SAID_NOTHING;
}

/* The meaning of the number at that byte, with one word between it and the counted thing: "3 tests
 * failed". */
static enum said
said_behind(struct str line, size_t at)
{
	bool is_zero = line.ptr[at] == '0';
	enum said said;

	while (is_digit_at(line, at))
		at++;
	if (at >= line.len || line.ptr[at] != ' ')
		return SAID_NOTHING;
	said = said_by_count(from_byte(line, ++at), is_zero);
	while (is_letter_at(line, at))
		at++;
	if (said == SAID_NOTHING && at < line.len && line.ptr[at] == ' ')
		said = said_by_count(from_byte(line, at + 1), is_zero);
	return said;
}

/* The meaning of the word before the number at that byte: "failures=1", "Errors: 0", "# fail 2". */
static enum said
said_before(struct str line, size_t at)
{
	static const struct str words[] = {STR_INIT("failures"), STR_INIT("errors"),
	    STR_INIT("failed"), STR_INIT("passed"), STR_INIT("# fail"), STR_INIT("# pass")};
	size_t end = at;

	while (end > 0 && byte_is_in(line.ptr[end - 1], " :="))
		end--;
	for (size_t i = 0; i < ARRAY_COUNT(words) && end < at; i++) {
		bool is_tap = words[i].ptr[0] == '#';

		if (end >= words[i].len && (is_tap || line.ptr[end] != ' ') &&
		    begins(from_byte(line, end - words[i].len), words[i]))
			return said_by_count(
			    from_byte(words[i], is_tap ? 2 : 0), line.ptr[at] == '0');
	}
	return SAID_NOTHING;
}

/* What the counts of the line say, the worst one. */
static enum said
said_by_counts(struct str line)
{
	enum said worst = SAID_NOTHING;

	for (size_t i = 0; i < line.len; i++) {
		enum said behind, before;

		if (!is_digit_at(line, i) || (i > 0 && byte_is_word(line.ptr[i - 1])))
			continue;
		behind = said_behind(line, i);
		before = said_before(line, i);
		worst = behind > worst ? behind : worst;
		worst = before > worst ? before : worst;
	}
	return worst;
}

/* Whether the word is at that byte as a word, and in no name of a file or an option: error:,
 * TypeError and FAILED, but not -Werror and error.c. */
static bool
is_word_at(struct str line, size_t at, struct str word)
{
	size_t end = at + word.len;

	if (!begins(from_byte(line, at), word))
		return false;
	if (at > 0 &&
	    (byte_is_in(line.ptr[at - 1], "-/._") ||
		(is_letter_at(line, at - 1) && !byte_is_upper(line.ptr[at]))))
		return false;
	while (is_letter_at(line, end))
		end++;
	return !(end + 1 < line.len && byte_is_in(line.ptr[end], "./_-") &&
	    byte_is_word(line.ptr[end + 1]));
}

static bool
tells_of_error(struct str line)
{
	static const struct str words[] = {STR_INIT("error"), STR_INIT("fail"), STR_INIT("fatal"),
	    STR_INIT("panic"), STR_INIT("exception"), STR_INIT("err!")};
	static const struct str starts[] = {STR_INIT("not ok "), STR_INIT("✕ "), STR_INIT("✖ "),
	    STR_INIT("✗ "), STR_INIT("× "), STR_INIT("E   ")};

	if (STR_HAS_ANY_PREFIX(line, starts) || str_find(line, STR("not found")) != NULL ||
	    str_find(line, STR("No such file")) != NULL)
		return true;
	for (size_t i = 0; i < line.len; i++)
		for (size_t k = 0; k < ARRAY_COUNT(words); k++)
			if (is_word_at(line, i, words[k]))
				return true;
	return false;
}

/* Whether the line is of a program's text, which a compiler shows: "67 | note = "no error";". */
static bool
is_code(struct str line)
{
	size_t at = 0;

	while (is_digit_at(line, at))
		at++;
	while (at < line.len && line.ptr[at] == ' ')
		at++;
	return (at < line.len && line.ptr[at] == '|') ||
	    (line.len > 0 && byte_is_in(line.ptr[line.len - 1], "{;("));
}

static bool
tells_of_end(struct str line)
{
	static const struct str words[] = {STR_INIT("uccess"), STR_INIT("SUCCESS"),
	    STR_INIT("ompiled"), STR_INIT(" passed"), STR_INIT("no error"), STR_INIT("no issues"),
	    STR_INIT("up to date"), STR_INIT("up-to-date"), STR_INIT("built in"),
	    STR_INIT("Nothing to be done"), STR_INIT("uild complete"), STR_INIT("ucceeded"),
	    STR_INIT("SUCCEEDED")};
	static const struct str starts[] = {STR_INIT("Finished"), STR_INIT("OK "), STR_INIT("ok, "),
	    STR_INIT("Done in"), STR_INIT("ok  \t"), STR_INIT("ok \t")};

	return STR_HAS_ANY(line, words) || STR_HAS_ANY_PREFIX(line, starts) ||
	    str_eq(line, STR("OK")) || str_eq(line, STR("PASS"));
}

int
check_outcome_status(struct str text)
{
	int status = -1;

	while (text.len > 0 && status < 0)
		status = tool_output_status(str_trim(str_take_line(&text)));
	return status;
}

static enum said
said_by(struct str line)
{
	enum said said;

	if (is_code(line))
		return SAID_NOTHING;
	said = said_by_counts(line);
	if (said != SAID_NOTHING || tool_output_status(line) >= 0)
		return said;
	if (tells_of_end(line))
		return SAID_PASSED;
	if (!build_check_has_passed(line) && tells_of_error(line))
		return SAID_ERROR;
	return SAID_NOTHING;
}

struct str
check_outcome_line(struct str text)
{
	struct str failed = STR(""), error = STR(""), passed = STR("");
	bool is_counted = false;

	while (text.len > 0) {
		struct str line = line_class_bare(str_take_line(&text));

		switch (said_by(line)) {
		case SAID_FAILED:
			failed = line;
			break;
		case SAID_ERROR:
			error = error.len == 0 ? line_class_cause(line, text) : error;
			break;
		case SAID_COUNT:
			passed = line;
			is_counted = true;
			error = STR("");
			break;
		case SAID_PASSED:
			passed = is_counted ? passed : line;
			break;
		case SAID_NOTHING:
			break;
		}
	}
	return failed.len > 0 ? failed : error.len > 0 ? error : passed;
}
