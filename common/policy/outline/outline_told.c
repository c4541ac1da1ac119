#include "policy/outline/outline_told.h"

#include "base/text/text.h"
#include "data/message/texts.h"
#include "policy/constraints/sentences.h"
#include "policy/digest/line_class.h"

/* Notes the lines of the text that have a meaning wherever they are. */
static void
add_lines(struct map *lines, struct str text, uint64_t value)
{
	while (text.len > 0) {
		struct str line = line_class_bare(str_take_line(&text));

		if (line.len > OUTLINE_SHORT)
			map_set(lines, hash_label(line), value);
	}
}

void
outline_told_keep(struct outline *outline, const struct session *t)
{
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct entry *entry = &t->entry[i];
		struct message message;

		if (entry->is_dropped || entry->kind != RECORD_MESSAGE || entry->outside ||
		    entry->is_summary)
			continue;
		entry_parse_texts(entry, &message);
		message_read_output(&message, &text);
		add_lines(&outline->seen, buf_str(&text), OUTLINE_KEPT);
	}
	buf_free(&text);
}

void
outline_told_add(struct map *rules, struct str rule)
{
	map_set(rules, hash_label(rule), 0);
	/* A rule of several lines is as many of the outline. */
	add_lines(rules, rule, 0);
}

struct rest {
	const struct map *rules;
	struct str text; /* the text after the last rule */
	struct buf left;
};

static void
see_sentence(void *context, struct str sentence)
{
	struct rest *rest = context;
	size_t before = (size_t)(sentence.ptr - rest->text.ptr);

	if (map_get(rest->rules, hash_label(sentence)) == MAP_NONE)
		return;
	buf_add_str(&rest->left, str_of(rest->text.ptr, before));
	before += sentence.len;
	rest->text = str_of(rest->text.ptr + before, rest->text.len - before);
}

/* The rest of the user's words without the rules. */
static struct str
without_rules(struct outline *outline, struct str text, const struct map *rules)
{
	struct rest rest = {.rules = rules, .text = text, .left = BUF_INIT};
	struct str left = text;

	sentences_of(text, see_sentence, &rest);
	if (rest.text.ptr != text.ptr) {
		buf_add_str(&rest.left, rest.text);
		left = sentences_bare(buf_str(&rest.left));
		left = text_has_letter(left) ? arena_copy(&outline->arena, left) : STR("");
	}
	buf_free(&rest.left);
	return left;
}

void
outline_told_take(struct outline *outline, const struct map *rules)
{
	for (uint32_t i = 0; i < outline->count; i++) {
		struct outline_line *line = &outline->line[i];

		if (line->kind != OUTLINE_USER && line->kind != OUTLINE_MORE)
			continue;
		line->left = line->text;
		if (rules->count == 0)
			continue;
		line->left = map_get(rules, hash_label(line->text)) != MAP_NONE ?
		    STR("") :
		    without_rules(outline, line->text, rules);
	}
}
