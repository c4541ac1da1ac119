#include "policy/text/quote.h"

#include "base/text/visible.h"

static void
add_quoted(struct buf *buf, struct str name)
{
	const char *p = name.ptr, *end = p + name.len;
	char shown[VISIBLE_MAX];

	buf_add_char(buf, '"');
	while (p < end) {
		if (*p == '"' || *p == '\\') {
			buf_add_char(buf, '\\');
			buf_add_char(buf, *p++);
		} else if (*p == '\n') {
			buf_add_str(buf, STR("\\n"));
			p++;
		} else {
			buf_add(buf, shown, visible_next(&p, end, shown));
		}
	}
	buf_add_char(buf, '"');
}

bool
quote_is_needed(struct str name)
{
	return !visible_is(name) || str_find(name, STR("\"")) != NULL;
}

void
quote_add(struct buf *buf, struct str name, bool would_be_misread)
{
	if (would_be_misread || quote_is_needed(name))
		add_quoted(buf, name);
	else
		buf_add_str(buf, name);
}
