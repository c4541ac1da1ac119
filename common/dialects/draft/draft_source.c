#include "dialects/draft/draft_source.h"

/* Writes the digits of the number before end. Returns where they begin. */
static char *
put_digits(char *end, uint64_t number)
{
	do
		*--end = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	return end;
}

void
draft_source_name(struct draft_source *source, struct draft *draft, const struct line *from)
{
	bool is_next = source->number == from->number && source->file == from->file;
	char text[48], *end = text + sizeof text, *at = end;

	*source =
	    (struct draft_source){from->file, from->number, is_next ? source->messages + 1 : 1};
	if (is_next) {
		*--at = '"';
		at = put_digits(at, source->messages);
		*--at = '.';
	}
	at = put_digits(at, from->number);
	if (is_next)
		*--at = '"';
	draft_meta(draft, STR("source"), str_of(at, (size_t)(end - at)));
}
