#include "data/message/tool_output.h"

#include "json/string.h"

/* The lines of Codex in front of an output. */
static const struct str heads[] = {STR_INIT("Exit code: "), STR_INIT("Wall time: "),
    STR_INIT("Chunk ID: "), STR_INIT("Process exited with code "),
    STR_INIT("Process running with session ID "), STR_INIT("Original token count: "),
    STR_INIT("Total output lines: ")};

/* Codex's older form. A result that was cut is no JSON any more; it still begins and ends so. */
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
