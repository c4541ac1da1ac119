#include "dialects/parts/name.h"

#include "base/byte.h"

bool
name_is_plain_char(char c)
{
	return byte_is_word(c) || c == '-';
}

bool
name_is_plain(struct json_value value, size_t max)
{
	if (value.type != JSON_STRING || value.len <= 2 || value.len - 2 > max)
		return false;
	for (size_t i = 1; i + 1 < value.len; i++)
		if (!name_is_plain_char(value.ptr[i]))
			return false;
	return true;
}

void
name_write(struct json_value value, size_t max, struct buf *to)
{
	struct str name = STR("tool");

	if (value.type == JSON_STRING && value.len > 2)
		name = json_inner(value);
	buf_add_char(to, '"');
	for (size_t i = 0; i < name.len && i < max; i++)
		buf_add_char(to, name_is_plain_char(name.ptr[i]) ? name.ptr[i] : '_');
	buf_add_char(to, '"');
}

void
name_put(struct json_writer *w, struct json_value value, size_t max)
{
	json_member_raw(w, STR("name"), STR(""));
	name_write(value, max, w->buf);
}
