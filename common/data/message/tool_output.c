#include "data/message/tool_output.h"

#include <strings.h>

#include "base/byte.h"
#include "json/string.h"

/* The lines of Codex before an output. */
static const struct str heads[] = {STR_INIT("Exit code: "), STR_INIT("Wall time: "),
    STR_INIT("Chunk ID: "), STR_INIT("Process exited with code "),
    STR_INIT("Process running with session ID "), STR_INIT("Original token count: "),
    STR_INIT("Total output lines: ")};

enum { SEEN = 256 }; /* bytes at either end of an output that may say how a command ended */

/* Codex's older form. A result that was cut is no longer JSON, but still begins and ends so. */
static bool
read_json(struct str text, struct buf *output)
{
	enum { TAIL = 128 }; /* bytes; a command's seconds are short */
	static const struct str before = STR_INIT("{\"output\":\"");
	static const struct str behind = STR_INIT("\",\"metadata\":{\"exit_code\":");
	const char *end;

	if (!str_has_prefix(text, before) || !str_has_suffix(text, STR("}}")))
		return false;
	text = str_of(text.ptr + before.len, text.len - before.len);
	end = str_find(text.len > TAIL ? str_of(text.ptr + text.len - TAIL, TAIL) : text, behind);
	if (end == NULL)
		return false;
	json_decode_torn(str_of(text.ptr, (size_t)(end - text.ptr)), output);
	return true;
}

/* Its newer form. */
static bool
read_lines(struct str text, struct buf *output)
{
	struct str line = str_take_line(&text);

	if (!STR_HAS_ANY_PREFIX(line, heads))
		return false;
	do
		line = str_take_line(&text);
	while (STR_HAS_ANY_PREFIX(line, heads));
	if (!str_eq(line, STR("Output:")))
		return false;
	buf_add_str(output, text);
	return true;
}

bool
tool_output_read(struct str text, struct buf *output)
{
	text = str_trim(text);
	return read_json(text, output) || read_lines(text, output);
}

/* The mark in the text and the number after it, if that is not 0; otherwise "". */
static struct str
find_status(struct str text, struct str mark)
{
	const char *begin = str_find(text, mark), *end = text.ptr + text.len, *at;

	if (begin == NULL)
		return STR("");
	for (at = begin + mark.len; at < end && (*at == ' ' || *at == '0');)
		at++;
	if (at == end || (*at != '-' && !byte_is_digit(*at)))
		return STR("");
	do
		at++;
	while (at < end && byte_is_digit(*at));
	return str_of(begin, (size_t)(at - begin));
}

struct str
tool_output_failure(struct str inner)
{
	static const struct str marks[] = {
	    STR_INIT("Exit code:"), STR_INIT("Process exited with code")};
	static const struct str aborted = STR_INIT("aborted"), by = STR_INIT("aborted by user");
	struct str head = str_of(inner.ptr, inner.len < SEEN ? inner.len : SEEN), found = STR("");
	const char *begin = str_find(head, STR("Output:\\n"));

	head.len = begin != NULL ? (size_t)(begin - head.ptr) : head.len;
	for (size_t i = 0; i < ARRAY_COUNT(marks) && found.len == 0; i++)
		found = find_status(head, marks[i]);
	if (found.len == 0 && str_has_prefix(inner, by))
		return by;
	return found.len == 0 && str_eq(inner, aborted) ? aborted : found;
}

bool
tool_output_is_failure(struct json_value result)
{
	struct str inner = result.type == JSON_STRING ? json_inner(result) : STR("");
	struct str tail = str_rest(inner, inner.len > SEEN ? inner.len - SEEN : 0);

	if (str_has_prefix(inner, STR("{\\\"output\\\":")))
		return find_status(tail, STR("\\\"exit_code\\\":")).len > 0;
	return tool_output_failure(inner).len > 0;
}

int
tool_output_status(struct str line)
{
	static const struct str starts[] = {STR_INIT("exit code"), STR_INIT("[exit code"),
	    STR_INIT("(exit code"), STR_INIT("exit status"), STR_INIT("process exited with code"),
	    STR_INIT("command exited with code"), STR_INIT("[the command completed with exit code"),
	    STR_INIT("<exit_code>"), STR_INIT("<returncode>")};
	static const struct str member = STR_INIT("\"exit_code\":");
	const char *at = str_find(line, member);
	struct str rest = STR("");
	int status = 0;

	for (size_t i = 0; i < ARRAY_COUNT(starts); i++)
		if (line.len >= starts[i].len &&
		    strncasecmp(line.ptr, starts[i].ptr, starts[i].len) == 0)
			rest = str_rest(line, starts[i].len);
	if (at != NULL)
		rest = str_rest(line, (size_t)(at - line.ptr) + member.len);
	while (rest.len > 0 && byte_is_in(rest.ptr[0], " :="))
		rest = str_rest(rest, 1);
	if (rest.len > 1 && rest.ptr[0] == '-' && byte_is_digit(rest.ptr[1]))
		return TOOL_OUTPUT_SIGNAL;
	if (rest.len == 0 || !byte_is_digit(rest.ptr[0]))
		return TOOL_OUTPUT_UNKNOWN;
	for (size_t i = 0; i < rest.len && byte_is_digit(rest.ptr[i]) && i < 4; i++)
		status = status * 10 + (rest.ptr[i] - '0');
	return status;
}

/* Whether the line is the text of a client in place of an empty output. */
static bool
is_empty(struct str line)
{
	static const struct str words[] = {STR_INIT("Output:"), STR_INIT("(no output)"),
	    STR_INIT("Output: (empty)"), STR_INIT("Stdout: (empty)"), STR_INIT("Stderr: (empty)"),
	    STR_INIT("Error: (none)"), STR_INIT("<output>"), STR_INIT("</output>"),
	    STR_INIT("<output></output>")};

	return line.len == 0 || STR_IS_ONE_OF(line, words);
}

int
tool_output_silent_status(struct str text)
{
	int status = TOOL_OUTPUT_UNKNOWN;
	struct buf output = BUF_INIT;
	bool is_json = read_json(str_trim(text), &output), has_printed = output.len > 0;

	buf_free(&output);
	if (has_printed || is_json)
		return has_printed ? TOOL_OUTPUT_PRINTED : tool_output_status(text);
	while (text.len > 0) {
		struct str line = str_trim(str_take_line(&text));
		int said = tool_output_status(line);

		if (said == TOOL_OUTPUT_UNKNOWN && !is_empty(line) &&
		    !STR_HAS_ANY_PREFIX(line, heads))
			return TOOL_OUTPUT_PRINTED;
		status = said != TOOL_OUTPUT_UNKNOWN ? said : status;
	}
	return status;
}
