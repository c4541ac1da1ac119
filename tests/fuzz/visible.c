/*
 * Fuzzes the visible form of a text: it is valid UTF-8 without anything that a terminal acts on, its
 * own visible form, and its columns are those of its pieces.
 */

#include <stdlib.h>

#include "base/text/text.h"
#include "base/text/utf8.h"
#include "base/text/visible.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static bool
is_inert(struct str visible)
{
	for (size_t i = 0; i < visible.len; i++) {
		unsigned char c = (unsigned char)visible.ptr[i];
		unsigned char next = i + 1 < visible.len ? (unsigned char)visible.ptr[i + 1] : 0;

		if (c < ' ' || c == 0x7f || (c == 0xc2 && next < 0xa0))
			return false;
	}
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct buf visible = BUF_INIT;
	struct str text, half;

	text_add_visible(&visible, str_of((const char *)bytes, len));
	text = visible.len > 0 ? buf_str(&visible) : STR("");
	if (!is_inert(text) || utf8_valid(text) != text.len || !visible_is(text))
		abort();
	half = text_fit(text, text_columns(text) / 2);
	if (text_columns(half) > text_columns(text) / 2 ||
	    text_columns(half) + text_columns(str_rest(text, half.len)) != text_columns(text))
		abort();
	buf_free(&visible);
	return 0;
}
