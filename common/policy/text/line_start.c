#include "policy/text/line_start.h"

#include "base/text/utf8.h"
#include "base/text/visible.h"

void
line_start_add(struct str text, size_t most, struct buf *out)
{
	const char *p = text.ptr, *end;
	char shown[VISIBLE_MAX];
	bool is_cut = text.len > most;

	if (!text.len)
		return; // it may have no bytes to point to
	if (is_cut) {
		size_t at = utf8_floor(text, most);

		for (size_t i = at; i > at / 2; i--)
			if (text.ptr[i - 1] == ' ' || text.ptr[i - 1] == '\n') {
				at = i - 1;
				break;
			}
		text.len = at;
	}
	for (end = text.ptr + text.len; p < end;)
		if (*p == '\n' || *p == '\t') {
			buf_add_char(out, ' ');
			p++;
		} else {
			buf_add(out, shown, visible_next(&p, end, shown));
		}
	if (is_cut)
		buf_add_str(out, STR(" …"));
}
