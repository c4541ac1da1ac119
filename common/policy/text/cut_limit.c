#include "policy/text/cut_limit.h"

#include "base/text/utf8.h"
#include "policy/text/cut.h"

#define SHORT_MARK "…"

enum {
	LINE_ESCAPES = 2, /* bytes that the two line ends of the mark get as JSON */
	FINE = 32         /* a cut by tokens is as near as one part in so many */
};

bool
cut_limit_passed(const struct cut_limit *limit, struct str text)
{
	if (text.len <= limit->size.value)
		return false;
	if (limit->size.unit == SIZE_CHARACTERS)
		return utf8_count(text) > limit->size.value;
	return limit->size.unit != SIZE_TOKENS ||
	    estimate_text(limit->estimator, text) > limit->size.value;
}

static bool
has_line(const struct cut_limit *limit)
{
	return limit->size.value >= CUT_LIMIT_LINE;
}

/* Appends the text of which keep stays, in characters or bytes. */
static void
write_cut(const struct cut_limit *limit, struct str text, size_t keep, struct buf *buf)
{
	size_t head = (size_t)(keep / SIZE_WHOLE * limit->head +
	    keep % SIZE_WHOLE * limit->head / SIZE_WHOLE);
	size_t begin, end;

	cut_find(text, head, keep - head, limit->size.unit == SIZE_CHARACTERS, &begin, &end);
	if (has_line(limit)) {
		cut_write(text, begin, end, STR(""), STR(""), buf);
		return;
	}
	buf_add(buf, text.ptr, begin);
	buf_add_str(buf, STR(SHORT_MARK));
	buf_add(buf, text.ptr + end, text.len - end);
}

/* Appends the text cut to a limit in tokens; so many bytes of it stay at most. */
static void
write_tokens(const struct cut_limit *limit, struct str text, size_t most, struct buf *buf)
{
	uint64_t tokens = estimate_text(limit->estimator, text);
	size_t low = 0, high = most + 1, start = buf->len;
	double even = (double)text.len / (double)(tokens + 1) * (double)limit->size.value;

	/* A text is hardly twice as dense on the whole as at its ends; where it is, less stays. */
	if (even < (double)most / 2)
		high = 1 + 2 * (size_t)even;
	while (high - low > 1 + low / FINE) {
		size_t keep = low + (high - low) / 2;

		buf->len = start;
		write_cut(limit, text, keep, buf);
		if (estimate_text(limit->estimator, str_of(buf->ptr + start, buf->len - start)) <=
		    limit->size.value)
			low = keep;
		else
			high = keep;
	}
	buf->len = start;
	write_cut(limit, text, low, buf);
}

void
cut_limit_apply(const struct cut_limit *limit, struct str text, size_t spare, struct buf *buf)
{
	bool is_characters = limit->size.unit == SIZE_CHARACTERS;
	struct buf mark = BUF_INIT;
	size_t most, of_mark;

	/* The mark is no longer than one for a text that is cut completely. The rest is counted in
	 * the unit of the limit; a character has at least one byte. */
	if (has_line(limit))
		cut_mark(text.len, STR(""), &mark);
	else
		buf_add_str(&mark, STR(SHORT_MARK));
	of_mark = is_characters ? utf8_count(buf_str(&mark)) : mark.len;
	most = (is_characters ? utf8_count(text) : text.len) - mark.len - LINE_ESCAPES - spare;
	if (limit->size.unit == SIZE_TOKENS)
		write_tokens(limit, text, most, buf);
	else
		write_cut(limit, text, number_least(most, limit->size.value - of_mark), buf);
	buf_free(&mark);
}
