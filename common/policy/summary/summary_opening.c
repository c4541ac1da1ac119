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

static bool
says_dropped(struct str json)
{
	size_t len = 0;

	while (len < json.len && (byte_is_digit(json.ptr[len]) || json.ptr[len] == ','))
		len++;
	json = str_rest(json, len);
	return len == 0 ? str_has_prefix(json, cut) :
			  str_has_prefix(json, one) || str_has_prefix(json, several);
}

bool
summary_opening_begins(struct str json)
{
	enum { TITLE_MOST = 1000 };
	const char *lf;

	if (str_has_prefix(json, mark))
		return says_dropped(str_rest(json, mark.len));
	lf = str_find(str_of(json.ptr, json.len < TITLE_MOST ? json.len : TITLE_MOST), STR("\\n"));
	return lf != NULL && says_dropped(str_rest(json, (size_t)(lf + 2 - json.ptr)));
}
