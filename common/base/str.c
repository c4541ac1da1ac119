#include "base/str.h"

int
str_compare(struct str a, struct str b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = len == 0 ? 0 : memcmp(a.ptr, b.ptr, len);

	if (order != 0)
		return order;
	return (a.len > b.len) - (a.len < b.len);
}

const char *
str_find(struct str s, struct str needle)
{
	return s.ptr == NULL ? NULL : memmem(s.ptr, s.len, needle.ptr, needle.len);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str
str_trim(struct str s)
{
	while (s.len > 0 && is_blank(s.ptr[s.len - 1]))
		s.len--;
	while (s.len > 0 && is_blank(*s.ptr)) {
		s.ptr++;
		s.len--;
	}
	return s;
}

bool
str_has_any_prefix(struct str s, const struct str *prefix, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (str_has_prefix(s, prefix[i]))
			return true;
	return false;
}

struct str
str_take_line(struct str *text)
{
	const char *lf = text->len > 0 ? memchr(text->ptr, '\n', text->len) : NULL;
	struct str line = str_of(text->ptr, lf != NULL ? (size_t)(lf - text->ptr) : text->len);
	size_t taken = line.len + (lf != NULL);

	*text = str_of(text->ptr + taken, text->len - taken);
	return line;
}

bool
str_take_word(const char **list, char mark, struct str *word)
{
	const char *end;

	if (*list == NULL)
		return false;
	end = strchrnul(*list, mark);
	*word = str_of(*list, (size_t)(end - *list));
	*list = *end != '\0' ? end + 1 : NULL;
	return true;
}
