#include "policy/text/cut.h"

#include <strings.h>

#include "base/number.h"
#include "base/text/utf8.h"
#include "data/message/texts.h"
#include "policy/text/recall.h"
#include "policy/text/rewrite.h"

#define CUT_MARK " bytes cut …"

enum {
	CUT_LINE = 48, /* the most bytes of the line between head and tail */
	CUT_LEAST = 16,
};

void
cut_find(struct str text, size_t head, size_t tail, bool in_characters, size_t *begin, size_t *end)
{
	*begin = in_characters ? utf8_after(text, head) : utf8_floor(text, head);
	*end = in_characters ? text.len : utf8_ceil(text, text.len - tail);
	while (in_characters && *end > 0 && tail-- > 0)
		*end = utf8_floor(text, *end - 1);
}

void
cut_keep_lines(struct str text, size_t begin, size_t end, size_t limit,
    bool (*is_telling)(struct str line), struct buf *lines)
{
	struct str middle = str_of(text.ptr + begin, end - begin);

	if (begin > 0)
		str_take_line(&middle); /* it began in the head, and is no whole line */
	while (middle.len > 0) {
		struct str line = str_take_whole_line(&middle);

		if (str_has_suffix(line, STR("\n")) && line.len <= limit - lines->len &&
		    is_telling(line))
			buf_add_str(lines, line);
	}
}

void
cut_mark(size_t bytes, struct str recall, struct buf *buf)
{
	buf_add_str(buf, STR("\n[… "));
	number_write_grouped(buf, bytes);
	buf_add_str(buf, STR(CUT_MARK));
	buf_add_str(buf, recall);
	buf_add_str(buf, STR("]\n"));
}

void
cut_write(
    struct str text, size_t begin, size_t end, struct str lines, struct str recall, struct buf *buf)
{
	buf_add(buf, text.ptr, begin);
	cut_mark(end - begin - lines.len, recall, buf);
	buf_add_str(buf, lines);
	buf_add(buf, text.ptr + end, text.len - end);
}

static void
cut_middle_for(struct str text, size_t keep, struct str recall, struct buf *buf)
{
	size_t begin, end;

	cut_find(text, keep / 2, keep / 2, false, &begin, &end);
	cut_write(text, begin, end, STR(""), recall, buf);
}

void
cut_middle(struct str text, size_t keep, struct buf *buf)
{
	if (text.len <= keep)
		buf_add_str(buf, text);
	else
		cut_middle_for(text, keep, STR(""), buf);
}

bool
cut_is_in(struct str json)
{
	return str_find(json, STR(CUT_MARK)) != NULL;
}

/* As cut_content. least_gain: so many bytes must go at least; 0 for any. */
static bool
cut_entry(struct session *t, uint32_t index, const struct change_rule *rule, uint64_t tokens,
    size_t least_gain, struct estimator *estimator)
{
	const struct entry *entry = &t->entry[index];
	struct entry original = change_base(t, index);
	struct buf text = BUF_INIT, cut = BUF_INIT;
	struct message message;
	struct str recall;
	bool done = false;
	size_t keep;

	if (weigh_entry(t, index, estimator) <= tokens)
		return false;
	entry_parse(&original, &message);
	message_read_text(&message, &text);
	recall = recall_clause(t, index);
	/* Some parts of a text are denser: keep starts in proportion, and shrinks by an eighth
	 * until the message fits. */
	keep = (size_t)((uint64_t)text.len * tokens / weigh_original(t, index, estimator));
	keep = keep > CUT_LINE + recall.len + CUT_LEAST ? keep - CUT_LINE - recall.len : CUT_LEAST;
	for (; keep >= CUT_LEAST && entry->tokens > tokens; keep -= keep / 8) {
		if (keep >= text.len)
			continue;
		buf_reset(&cut);
		cut_middle_for(buf_str(&text), keep, recall, &cut);
		if (cut.len + least_gain > text.len)
			continue;
		done = rewrite_original(t, index, rule, buf_str(&cut), estimator) || done;
	}
	buf_free(&text);
	buf_free(&cut);
	return done;
}

static bool
was_cut(struct session *t, uint32_t index)
{
	return t->entry[index].is_compacted && change_of(t, index) == NULL;
}

bool
cut_content(struct session *t, uint32_t index, const struct change_rule *rule, uint64_t tokens,
    struct estimator *estimator)
{
	return !was_cut(t, index) && cut_entry(t, index, rule, tokens, 0, estimator);
}

bool
cut_content_again(struct session *t, uint32_t index, const struct change_rule *rule,
    uint64_t tokens, struct estimator *estimator)
{
	/* Another cut to the same length would still change the line between head and tail. */
	size_t least_gain = was_cut(t, index) ? CUT_LINE : 0;

	return cut_entry(t, index, rule, tokens, least_gain, estimator);
}

bool
cut_is_worth(size_t bytes)
{
	return bytes > CUT_LINE + CUT_LEAST;
}

static bool
starts_with_word(const char *p, const char *end, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - p) >= len && strncasecmp(p, word, len) == 0;
}

/* The place of a letter in the alphabet, as a bit; other bytes have the bits of letters, too. */
#define LETTER(letter) (UINT32_C(1) << ((letter)&31))

bool
cut_tells_of_error(struct str line)
{
	static const char *const words[] = {"error", "exception", "exit code", "exit status",
	    "exited with", "fail", "fatal", "panic", "traceback", "warning"};
	/* What the words begin with: at most places, the second letter is none of these. */
	const uint32_t firsts = LETTER('e') | LETTER('f') | LETTER('p') | LETTER('t') | LETTER('w');
	const uint32_t seconds = LETTER('a') | LETTER('r') | LETTER('x');
	const char *end = line.ptr + line.len;

	for (const char *p = line.ptr; p + 1 < end; p++) {
		if ((seconds & LETTER(p[1])) == 0 || (firsts & LETTER(p[0])) == 0)
			continue;
		for (size_t i = 0; i < ARRAY_COUNT(words); i++)
			if (words[i][0] == (char)(p[0] | 0x20) &&
			    words[i][1] == (char)(p[1] | 0x20) &&
			    starts_with_word(p, end, words[i]))
				return true;
	}
	return false;
}
