#include "dialects/parts/call_input.h"

#include "json/nested.h"
#include "json/scan.h"
#include "json/string.h"

void
call_input_write(struct json_value arguments, struct buf *to, struct buf *scratch)
{
	struct json_scan scan;

	if (arguments.type == JSON_OBJECT) {
		buf_add_str(to, json_span(arguments));
		return;
	}
	if (arguments.type == JSON_ABSENT || json_is_blank(arguments)) {
		buf_add_str(to, STR("{}"));
		return;
	}
	buf_reset(scratch);
	if (arguments.type == JSON_STRING)
		json_decode(arguments, scratch);
	buf_pad(scratch);
	if (scratch->len > 0 && json_scan(buf_str(scratch), NULL, &scan) &&
	    scan.value.type == JSON_OBJECT) {
		buf_add_str(to, json_span(scan.value));
		json_unfold(to->ptr + to->len - scan.value.len, scan.value.len);
		return;
	}
	buf_add_str(to, STR("{\"arguments\":"));
	buf_add_str(to, json_span(arguments));
	buf_add_char(to, '}');
}
