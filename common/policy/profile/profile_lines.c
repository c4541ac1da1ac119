#include "policy/profile/profile_lines.h"

#include "base/text/shell_word.h"
#include "base/text/utf8.h"

void
profile_lines_mark(struct profile_lines *lines, size_t at)
{
	lines->error->line = lines->number;
	lines->error->text = lines->line;
	lines->error->at = at;
}

bool
profile_lines_fail(struct profile_lines *lines, size_t at, const char *message)
{
	buf_add_str(&lines->error->message, str_from(message));
	profile_lines_mark(lines, at);
	return false;
}

/* Whether a control character begins there, of C0, DEL or C1; a tab is none. */
static bool
is_control(struct str line, size_t at)
{
	unsigned char c = (unsigned char)line.ptr[at];

	if (c == 0xc2 && at + 1 < line.len)
		return (unsigned char)line.ptr[at + 1] < 0xa0;
	return (c < ' ' && c != '\t') || c == 0x7f;
}

bool
profile_lines_next(struct profile_lines *lines)
{
	if (lines->rest.len == 0)
		return false;
	lines->line = str_take_line(&lines->rest);
	if (lines->line.len > 0 && lines->line.ptr[lines->line.len - 1] == '\r')
		lines->line.len--;
	if (lines->number++ == 0)
		lines->line = utf8_unmarked(lines->line);
	lines->at = 0;
	return true;
}

bool
profile_lines_check(struct profile_lines *lines)
{
	const struct str *line = &lines->line;
	size_t bad;

	if (line->len > PROFILE_LINE) {
		lines->line.len = 0;
		return profile_lines_fail(lines, 0, "the line is longer than 64 KiB");
	}
	for (size_t i = 0; i < line->len; i++)
		if (is_control(*line, i))
			return profile_lines_fail(
			    lines, i, "a control character, which no profile has");
	bad = utf8_valid(*line);
	return bad == line->len || profile_lines_fail(lines, bad, "expected UTF-8");
}

bool
profile_lines_skip(struct profile_lines *lines)
{
	size_t start = lines->at;

	while (lines->at < lines->line.len &&
	    (lines->line.ptr[lines->at] == ' ' || lines->line.ptr[lines->at] == '\t'))
		lines->at++;
	return lines->at > start;
}

bool
profile_lines_word(struct profile_lines *lines, bool *is_there, const char *expected)
{
	size_t start;
	const char *wrong;

	profile_lines_skip(lines);
	start = lines->at;
	wrong = shell_word_take(lines->line, &lines->at, &lines->word, is_there);
	if (wrong != NULL)
		return profile_lines_fail(lines, lines->at, wrong);
	return *is_there || expected == NULL || profile_lines_fail(lines, start, expected);
}

bool
profile_lines_end(struct profile_lines *lines, const char *message)
{
	bool is_there;
	size_t start;

	profile_lines_skip(lines);
	start = lines->at;
	return profile_lines_word(lines, &is_there, NULL) &&
	    (!is_there || profile_lines_fail(lines, start, message));
}
