#include "policy/compact/removal.h"

#include "base/text/text.h"
#include "base/text/utf8.h"
#include "data/message/texts.h"
#include "policy/digest/line_class.h"
#include "policy/summary/condense.h"
#include "policy/text/cut.h"
#include "policy/text/recall.h"
#include "policy/text/rewrite.h"

/* The most important line of the result (policy/digest/line_class.h), or "". */
static struct str
find_telling(const struct session *t, uint32_t index, struct str text)
{
	const struct entry *entry = &t->entry[index];
	enum line_class_origin origin =
	    entry->call != NONE && t->call[entry->call].use.op == TOOL_SHELL ? LINE_OF_OUTPUT :
									       LINE_OF_TEXT;
	enum line_class best = LINE_NOISE;
	struct str telling = STR("");

	while (text.len > 0 && best < LINE_ERROR) {
		struct str line = line_class_bare(str_take_line(&text));
		enum line_class class = line_class_of(line, origin);

		if (class > best) {
			best = class;
			telling = line;
		}
	}
	return telling;
}

void
removal_put(struct compaction *c, uint32_t index, const struct change_rule *rule)
{
	enum { SHOWN = 80 }; /* bytes of the line */
	struct entry original = change_base(c->session, index);
	struct buf content = BUF_INIT, text = BUF_INIT;
	struct message message;
	struct str telling;

	entry_parse(&original, &message);
	message_read_output(&message, &content);
	telling = find_telling(c->session, index, buf_str(&content));
	buf_add(&text, rule->placeholder.ptr, rule->placeholder.len - strlen("]"));
	if (telling.len > 0) {
		buf_add_str(&text, STR(": "));
		text_add_visible(&text,
		    str_of(telling.ptr,
			telling.len > SHOWN ? utf8_floor(telling, SHOWN) : telling.len));
		buf_add_str(&text, telling.len > SHOWN ? STR(" …") : STR(""));
	}
	buf_add_char(&text, ']');
	if (!rewrite_content(c->session, index, rule, buf_str(&text), c->estimator))
		rewrite_content(c->session, index, rule, rule->placeholder, c->estimator);
	buf_free(&content);
	buf_free(&text);
}

/* Whether a text of the entry is longer than prune leaves it. */
static bool
is_long(const struct compaction *c, const struct entry *entry)
{
	uint64_t over = c->options->prune_over;
	struct buf text = BUF_INIT;
	struct message message;
	bool is;

	if (entry->len <= over)
		return false;
	entry_parse(entry, &message);
	if (message_text_len(&message) <= over)
		return false;
	if (!c->options->prune_in_tokens)
		return true;
	message_read_text(&message, &text);
	is = estimate_text(c->estimator, buf_str(&text)) > over;
	buf_free(&text);
	return is;
}

bool
removal_may_take(const struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];

	if (entry->role != ROLE_TOOL || compaction_is_failure(c, index) ||
	    recall_is_result(c->session, index))
		return false;
	if (entry->is_compacted && cut_is_in(entry_text(entry)))
		return true;
	if (entry->is_compacted && !condense_is_in(entry_text(entry)))
		return false;
	return is_long(c, entry);
}
