#include "policy/text/call_text.h"

#include "base/text/utf8.h"
#include "policy/text/quote.h"

enum { TARGET_SHOWN = 120 }; /* the most bytes of a target */

/* Whether the text has a mark that separates the parts of the content: it could be read as several
 * parts. */
static bool
has_marks(struct str text)
{
	const char *p = text.ptr, *end = p + text.len;

	for (; text.len > 0 && (p = memchr(p, ' ', (size_t)(end - p))) != NULL; p++)
		if (p > text.ptr && (p[-1] == ';' || p[-1] == ':'))
			return true;
	return false;
}

void
call_text_add_tool(const struct call *call, struct buf *buf)
{
	quote_add(buf, call->name.len > 0 ? call->name : STR("tool"), has_marks(call->name));
}

void
call_text_add_target(const struct call *call, struct buf *buf)
{
	const struct tool_use *use = &call->use;
	bool is_path = use->op == TOOL_READ || use->op == TOOL_WRITE || use->op == TOOL_EDIT;
	struct str shown =
	    utf8_start(is_path ? use->target : str_first_line(use->target), TARGET_SHOWN);

	quote_add(buf, shown, is_path && has_marks(shown));
	if (shown.len < use->target.len)
		buf_add_str(buf, STR(" …"));
}
