#include "policy/cut.h"

#include "base/number.h"
#include "policy/rewrite.h"

enum { CUT_BYTES_PER_TOKEN = 4 };

static bool
is_continuation(char c)
{
	return (c & 0xc0) == 0x80;
}

void
cut_middle(struct str text, size_t keep, struct buf *buf)
{
	size_t head = keep / 2, tail = text.len - keep / 2;

	if (text.len <= keep) {
		buf_add_str(buf, text);
		return;
	}
	while (head > 0 && is_continuation(text.ptr[head]))
		head--;
	while (tail < text.len && is_continuation(text.ptr[tail]))
		tail++;
	buf_add(buf, text.ptr, head);
	buf_add_str(buf, STR("\n[… "));
	number_write_grouped(buf, tail - head);
	buf_add_str(buf, STR(" bytes cut …]\n"));
	buf_add(buf, text.ptr + tail, text.len - tail);
}

bool
cut_content(struct transcript *t, uint32_t index, uint64_t tokens, struct estimator *estimator)
{
	struct entry *entry = &t->entry[index];
	struct buf text = BUF_INIT, cut = BUF_INIT;
	size_t keep = (size_t)tokens * CUT_BYTES_PER_TOKEN;
	struct message message;
	bool done = false;

	estimate_entry(estimator, entry);
	if (entry->is_compacted || entry->tokens <= tokens)
		return false;
	entry_parse(entry, &message);
	rewrite_read_text(&message, &text);
	/* A dense text has more tokens than the rule of thumb: halve until the cut holds. */
	for (; keep >= 16 && (!done || entry->tokens > tokens); keep /= 2) {
		if (text.len <= keep)
			continue;
		buf_reset(&cut);
		cut_middle(buf_str(&text), keep, &cut);
		done = rewrite_content(t, index, buf_str(&cut), estimator) || done;
	}
	buf_free(&text);
	buf_free(&cut);
	return done;
}
