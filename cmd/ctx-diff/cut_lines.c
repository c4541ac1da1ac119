#include "cut_lines.h"

/* How many bytes of whole lines both texts end with. */
static size_t
common_end(struct str a, struct str b)
{
	size_t most = a.len < b.len ? a.len : b.len, len = 0, lines = 0;

	while (len < most && a.ptr[a.len - 1 - len] == b.ptr[b.len - 1 - len]) {
		len++;
		if (a.ptr[a.len - len] == '\n')
			lines = len - 1;
	}
	return lines;
}

struct cut_lines
cut_lines_find(struct str was, struct str now)
{
	size_t start = str_common_len(was, now), line = start, end;

	while (line > 0 && was.ptr[line - 1] != '\n')
		line--;
	end = common_end(str_rest(was, start), str_rest(now, start));
	return (struct cut_lines){.before = str_of(was.ptr, line),
	    .was = str_of(was.ptr + line, was.len - end - line),
	    .now = str_of(now.ptr + line, now.len - end - line),
	    .after = str_of(now.ptr + now.len - end, end),
	    .same = start - line};
}
