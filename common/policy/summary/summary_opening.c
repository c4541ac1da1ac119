#include "policy/summary/summary_opening.h"

#include "base/byte.h"
#include "base/number.h"

static const struct str mark = STR_INIT("[summary] "), cut = STR_INIT("Results below were cut"),
			one = STR_INIT(" earlier message was dropped"),
			several = STR_INIT(" earlier messages were dropped");

void
summary_opening_write(const char *title, uint64_t dropped, struct buf *text)
{
	if (title != NULL) {
		buf_add_str(text, str_from(title));
		buf_add_char(text, '\n');
	} else {
		buf_add_str(text, mark);
	}
	if (dropped > 0)
		number_write_grouped(text, dropped);
	buf_add_str(text, dropped == 0 ? cut : dropped == 1 ? one : several);
	buf_add_str(text, STR(" to save context"));
}

bool
summary_opening_begins(struct str text)
{
	size_t len = 0;

	if (!str_has_prefix(text, mark))
		return false;
	text = str_rest(text, mark.len);
	while (len < text.len && (byte_is_digit(text.ptr[len]) || text.ptr[len] == ','))
		len++;
	text = str_rest(text, len);
	return len == 0 ? str_has_prefix(text, cut) :
			  str_has_prefix(text, one) || str_has_prefix(text, several);
}
