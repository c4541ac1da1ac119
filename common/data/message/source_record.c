#include "data/message/source_record.h"

#include "json/members.h"
#include "json/string.h"
#include "json/write.h"

bool
source_record_is(struct json_value object)
{
	return json_find(object, STR("format")).type == JSON_STRING &&
	    json_find(object, STR("bytes")).type == JSON_NUMBER &&
	    json_find(object, STR("sum")).type == JSON_STRING;
}

bool
source_record_is_line(struct json_value source)
{
	static const char digits[] = "0123456789";
	struct str text;
	size_t line, number;

	if (source.type != JSON_STRING)
		return source.type == JSON_NUMBER && json_count(source) > 0;
	text = json_inner(source);
	line = strspn(text.ptr, digits);
	number = text.ptr[line] == '.' ? strspn(text.ptr + line + 1, digits) : 0;
	return line > 0 && number > 0 && line + 1 + number == text.len;
}

void
source_record_write(struct buf *buf, const char *format, const struct sum *sum)
{
	struct buf digits = BUF_INIT;
	struct json_writer w;

	sum_write(sum, &digits);
	json_begin(&w, buf, '{');
	json_member_string(&w, STR("type"), STR("source"));
	json_member_string(&w, STR("format"), str_from(format));
	json_member_integer(&w, STR("bytes"), (int64_t)sum->bytes);
	json_member_string(&w, STR("sum"), buf_str(&digits));
	json_close(&w);
	buf_free(&digits);
}
