#include "policy/cut.h"

#include "base/number.h"
#include "policy/rewrite.h"

enum {
	CUT_LINE = 48, /* bytes of the line between head and tail, at most */
	CUT_LEAST = 16,
};

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
	struct message message;
	bool done = false;
	size_t keep;

	estimate_entry(estimator, entry);
	if (entry->is_compacted || entry->tokens <= tokens)
		return false;
	entry_parse(entry, &message);
	rewrite_read_text(&message, &text);
	/* In proportion, then less by an eighth until it holds: some parts of a text are denser. */
	keep = (size_t)((uint64_t)text.len * tokens / entry->tokens);
	keep = keep > CUT_LINE + CUT_LEAST ? keep - CUT_LINE : CUT_LEAST;
	for (; keep >= CUT_LEAST && entry->tokens > tokens; keep -= keep / 8) {
		buf_reset(&cut);
		cut_middle(buf_str(&text), keep, &cut);
		done = rewrite_content(t, index, buf_str(&cut), estimator) || done;
	}
	buf_free(&text);
	buf_free(&cut);
	return done;
}
