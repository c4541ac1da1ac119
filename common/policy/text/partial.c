#include "policy/text/partial.h"

#include "base/number.h"
#include "base/text/utf8.h"
#include "data/message/texts.h"
#include "policy/text/rewrite.h"

static const struct change_rule rule = {
    STR_INIT(""), STR_INIT("cut"), STR_INIT("only a part fits"), STR_INIT("")};

static bool
may_be_cut(const struct entry *entry)
{
	return entry->group == NONE && !entry->is_pinned && !entry->is_compacted &&
	    (entry->role == ROLE_USER || entry->role == ROLE_ASSISTANT);
}

/* So many bytes of the head or tail, or less up to a code point. */
static struct str
part_of(struct str text, enum partial part, size_t keep)
{
	size_t begin;

	if (part == PARTIAL_HEAD)
		return utf8_start(text, keep);
	begin = utf8_ceil(text, text.len - keep);
	return str_of(text.ptr + begin, text.len - begin);
}

/* The most bytes whose part has at most that many tokens. A part that fits is grown twofold, so
 * that a long text is not counted as a whole. A part that begins within a word may have more tokens
 * than a longer one, so the next few bytes are tried, too. */
static size_t
find_most(struct str text, enum partial part, uint64_t tokens, struct estimator *estimator)
{
	enum { WORD = 16 };
	size_t fits = 0, over = text.len + 1, end;

	if (tokens == 0)
		return 0;
	for (size_t keep = number_least(text.len, tokens); fits < keep;
	     keep = number_least(text.len, 2 * keep)) {
		if (estimate_text(estimator, part_of(text, part, keep)) > tokens) {
			over = keep;
			break;
		}
		fits = keep;
	}
	while (over - fits > 1) {
		size_t keep = fits + (over - fits) / 2;

		if (estimate_text(estimator, part_of(text, part, keep)) > tokens)
			over = keep;
		else
			fits = keep;
	}
	end = number_least(text.len, fits + WORD);
	for (size_t keep = fits + 1; keep <= end; keep++)
		if (estimate_text(estimator, part_of(text, part, keep)) <= tokens)
			fits = keep;
	return fits;
}

/* Writes parts, each smaller than the one before, until the whole record has the tokens. The mark
 * may make a short record longer than it was; the user asked for it. */
static bool
put_part(struct session *t, uint32_t index, struct str text, enum partial part, size_t keep,
    uint64_t tokens, struct estimator *estimator)
{
	uint32_t mark = change_mark(t);

	for (; keep > 0 && !fault_is_set(estimator->fault); keep -= keep / 16 + 1) {
		struct str some = part_of(text, part, keep);

		if (some.len == 0)
			return false;
		if (!rewrite_original(t, index, &rule, some, NULL))
			return false;
		if (weigh_entry(t, index, estimator) <= tokens)
			return true;
		change_undo(t, mark);
	}
	return false;
}

bool
partial_cut(struct session *t, uint32_t index, enum partial part, uint64_t tokens,
    struct estimator *estimator)
{
	uint64_t around = weigh_least(estimator, 0);
	struct buf text = BUF_INIT;
	struct message message;
	size_t keep;
	bool done;

	if (!may_be_cut(&t->entry[index]))
		return false;
	entry_parse(&t->entry[index], &message);
	message_read_text(&message, &text);
	keep = find_most(buf_str(&text), part, tokens > around ? tokens - around : 0, estimator);
	done = put_part(t, index, buf_str(&text), part, keep, tokens, estimator);
	buf_free(&text);
	return done;
}
