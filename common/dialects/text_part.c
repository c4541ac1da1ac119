#include "dialects/text_part.h"

#define HEAD "{\"type\":\"text\",\"text\":"

void
text_part_add(struct buf *buf, struct json_value string)
{
	buf_add_str(buf, STR(HEAD));
	buf_add_str(buf, json_span(string));
	buf_add_char(buf, '}');
}

void
text_part_add_name(struct buf *buf, struct json_value type)
{
	buf_add_str(buf, STR(HEAD "\"["));
	buf_add_str(buf, json_inner(type));
	buf_add_str(buf, STR("]\"}"));
}

struct str
text_part_string(struct str part)
{
	const size_t head = sizeof HEAD - 1;

	return str_of(part.ptr + head, part.len - head - 1);
}
