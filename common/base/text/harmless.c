#include "base/text/harmless.h"

#include "base/text/visible.h"

/* The starts of the marks in the chat templates of Llama, Mistral, Qwen, DeepSeek, Gemma, GLM, and
 * of all models with ChatML or Harmony. One mark may be the start of another mark, but is never
 * inside it. */
static const struct str marks[] = {
    STR_INIT("<|"),
    STR_INIT("<\xef\xbd\x9c"), /* U+FF5C */
    STR_INIT("<s>"),
    STR_INIT("</s>"),
    STR_INIT("<<SYS>>"),
    STR_INIT("<</SYS>>"),
    STR_INIT("<bos>"),
    STR_INIT("<eos>"),
    STR_INIT("<pad>"),
    STR_INIT("<unk>"),
    STR_INIT("<sop>"),
    STR_INIT("<eop>"),
    STR_INIT("<start_of_turn>"),
    STR_INIT("<end_of_turn>"),
    STR_INIT("<tool_call>"),
    STR_INIT("</tool_call>"),
    STR_INIT("<tool_response>"),
    STR_INIT("</tool_response>"),
    STR_INIT("<function_calls>"),
    STR_INIT("</function_calls>"),
    STR_INIT("[INST]"),
    STR_INIT("[/INST]"),
    STR_INIT("[SYSTEM_PROMPT]"),
    STR_INIT("[/SYSTEM_PROMPT]"),
    STR_INIT("[AVAILABLE_TOOLS]"),
    STR_INIT("[/AVAILABLE_TOOLS]"),
    STR_INIT("[TOOL_CALLS]"),
    STR_INIT("[TOOL_RESULTS]"),
    STR_INIT("[/TOOL_RESULTS]"),
    STR_INIT("[gMASK]"),
};

static bool
begins_mark(struct str text)
{
	return (text.ptr[0] == '<' || text.ptr[0] == '[') && STR_HAS_ANY_PREFIX(text, marks);
}

/* The length of the start that has neither a control character nor the start of a mark, and is
 * ASCII. */
static size_t
plain_len(const char *p, const char *end)
{
	const char *at = p;

	while (at < end && *at >= ' ' && *at < '\x7f' && *at != '<' && *at != '[')
		at++;
	return (size_t)(at - p);
}

void
harmless_add(struct buf *buf, struct str text)
{
	const char *p = text.ptr, *end = text.len > 0 ? p + text.len : p;
	char shown[VISIBLE_MAX];

	while (p < end) {
		size_t plain = plain_len(p, end);

		buf_add(buf, p, plain);
		p += plain;
		if (p == end)
			return;
		if (*p == '\r' && p + 1 < end && p[1] == '\n')
			p++;
		if (begins_mark(str_of(p, (size_t)(end - p)))) {
			buf_add_char(buf, *p++);
			buf_add_char(buf, ' ');
		} else if (*p == '\n' || *p == '\t') {
			buf_add_char(buf, *p++);
		} else {
			buf_add(buf, shown, visible_next(&p, end, shown));
		}
	}
}
