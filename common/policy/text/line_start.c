#include "policy/text/line_start.h"

#include "base/text/text.h"
#include "base/text/utf8.h"

void
line_start_add(struct str text, size_t most, struct buf *out)
{
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
	while (text.len > 0) {
		const char *feed = memchr(text.ptr, '\n', text.len), *tab;
		size_t len = feed != NULL ? (size_t)(feed - text.ptr) : text.len;

		tab = memchr(text.ptr, '\t', len);
		len = tab != NULL ? (size_t)(tab - text.ptr) : len;
		text_add_visible(out, str_of(text.ptr, len));
		if (len < text.len)
			buf_add_char(out, ' ');
		text = str_rest(text, len < text.len ? len + 1 : len);
	}
	if (is_cut)
		buf_add_str(out, STR(" …"));
}
