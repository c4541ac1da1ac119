/*
 * ctx-recall KEY[:LINES]: the lines of one entry, as many as fit, and the command for the others.
 */
#include "look_up.h"

#include "base/byte.h"
#include "data/archive/archive_text.h"
#include "face/choices/recall_command.h"

static _Noreturn void
refuse_key(const char *text)
{
	options_fail("bad key '%s', expected KEY, KEY:N, KEY:N- or KEY:N-M, with at least 4 of the "
		     "digits of the key; -F looks for words",
	    text);
}

static bool
read_number(const char **p, uint64_t *number)
{
	const char *start = *p;

	for (*number = 0; byte_is_digit(**p) && *p - start < 18; ++*p)
		*number = *number * 10 + (uint64_t)(**p - '0');
	return *p > start && *number > 0;
}

void
key_search_parse(struct look_up *recall, const char *text)
{
	enum { LEAST = 4 };
	struct look_up_range range = {1, UINT64_MAX};
	const char *p = text + strspn(text, "0123456789abcdef");
	size_t count = (size_t)(p - text);

	if (count < LEAST || count > ARCHIVE_KEY_DIGITS || (*p != '\0' && *p != ':'))
		refuse_key(text);
	if (*p != '\0') {
		p++;
		if (!read_number(&p, &range.first))
			refuse_key(text);
		if (*p == '\0')
			range.last = range.first;
		else if (*p++ != '-' || (*p != '\0' && !read_number(&p, &range.last)) ||
		    *p != '\0' || range.last < range.first)
			refuse_key(text);
	}
	recall->digits = str_of(text, count);
	recall->range = range;
}

static uint64_t
count_lines(struct str text)
{
	return str_count(text, '\n') + (text.len > 0 && text.ptr[text.len - 1] != '\n');
}

static struct str
cut_lines(struct str text, struct look_up_range range)
{
	const char *start = text.ptr + text.len;

	for (uint64_t line = 1; text.len > 0 && line <= range.last; line++) {
		if (line == range.first)
			start = text.ptr;
		str_take_line(&text);
	}
	return str_of(start, start < text.ptr ? (size_t)(text.ptr - start) : 0);
}

/* The shown part of a text, and the rest of the requested lines. */
struct part_shown {
	struct str key;
	struct str text;
	uint64_t tokens; /* tokens with which the cut line is shown whole; 0: no line is cut */
	uint64_t next;
	uint64_t last;
};

static void
add_rest(struct look_up *recall, const struct part_shown *shown, struct buf *buf)
{
	if (shown->text.len > 0 && shown->text.ptr[shown->text.len - 1] != '\n')
		buf_add_char(buf, '\n');
	if (shown->tokens > 0) {
		buf_add_str(buf, STR("[the line goes on: "));
		recall_command_add(buf, recall->archive);
		buf_add_fmt(buf, "%.*s:%ju --tokens %ju]\n", STR_ARG(shown->key),
		    (uintmax_t)(shown->next - 1), (uintmax_t)shown->tokens);
	}
	if (shown->next > shown->last)
		return;
	buf_add_fmt(buf, "[%ju lines more: ", (uintmax_t)(shown->last - shown->next + 1));
	recall_command_add(buf, recall->archive);
	buf_add_fmt(buf, "%.*s:%ju-%ju]\n", STR_ARG(shown->key), (uintmax_t)shown->next,
	    (uintmax_t)shown->last);
}

/* The --tokens with which the first of the lines is shown whole. */
static uint64_t
enough_tokens(struct look_up *recall, struct str lines, struct str around)
{
	struct str line = cut_lines(lines, (struct look_up_range){1, 1});
	uint64_t tokens = recall->options->tokens;

	tokens += tokens == 0;
	do
		tokens *= 2;
	while (!look_up_fits(recall, line, around, tokens));
	return tokens;
}

static void
add_head(struct buf *buf, struct str key, struct str what, struct look_up_range range, uint64_t all)
{
	buf_add_fmt(buf, "[%.*s %.*s, lines %ju-%ju of %ju]\n", STR_ARG(key), STR_ARG(what),
	    (uintmax_t)range.first, (uintmax_t)range.last, (uintmax_t)all);
}

/*
 * [0123456789ab tool, lines 1-40 of 120]
 * ...
 * [80 lines more: ctx-recall A 0123456789ab:41-120]
 *
 * A first line that does not fit alone is cut:
 *
 * [the line goes on: ctx-recall A 0123456789ab:1 --tokens 8000]
 */
static void
answer(struct look_up *recall, struct str key, struct str what, struct str text,
    struct look_up_range range)
{
	uint64_t all = count_lines(text);
	struct str lines = cut_lines(text, range);
	struct part_shown shown = {key, STR("x"), UINT64_MAX, all, all};
	struct buf around = BUF_INIT;

	if (range.first > all && range.first > 1) {
		fault_set(&recall->fault, STATUS_NO, "%s: entry %.*s has no line %ju, only %ju",
		    recall->archive, STR_ARG(key), (uintmax_t)range.first, (uintmax_t)all);
		return;
	}
	range.last = range.last < all ? range.last : all;
	add_head(&around, key, what, (struct look_up_range){all, all}, all);
	add_rest(recall, &shown, &around);
	shown.text = str_of(lines.ptr, look_up_fitting(recall, lines, buf_str(&around)));
	shown.next = range.first + count_lines(shown.text);
	shown.last = range.last;
	shown.tokens = 0;
	if (shown.text.len < lines.len && !str_has_suffix(shown.text, STR("\n"))) {
		shown.next = range.first + 1;
		shown.tokens = enough_tokens(recall, lines, buf_str(&around));
	}
	add_head(
	    &recall->answer, key, what, (struct look_up_range){range.first, shown.next - 1}, all);
	buf_add_str(&recall->answer, shown.text);
	add_rest(recall, &shown, &recall->answer);
	buf_free(&around);
}

static void
fail_entry(struct look_up *recall, struct str digits, const char *what)
{
	fault_set(&recall->fault, STATUS_DATA, "%s: entry %.*s %s", recall->archive,
	    STR_ARG(digits), what);
}

static void
recall_entry(struct look_up *recall, uint32_t item)
{
	struct look_up_range range = recall->range;
	struct buf key = BUF_INIT, json = BUF_INIT, text = BUF_INIT, whose = BUF_INIT;
	struct message message;

	archive_key_write(&recall->index.item[item].key, &key);
	key.len = ARCHIVE_KEY_SHORT;
	if (recall->index.item[item].kind == ARCHIVE_LIST) {
		if (archive_text_list(&recall->index, item, &text))
			answer(recall, buf_str(&key), STR("dropped"), buf_str(&text), range);
		else
			fail_entry(recall, buf_str(&key), "does not match its key");
	} else if (archive_text_load(&recall->index, item, &json, &message)) {
		archive_text_write(&message, &text);
		buf_add_str(&whose,
		    message.kind == RECORD_MESSAGE ? role_name(message.role) : STR("record"));
		archive_text_about(&recall->index, &recall->index.item[item].key, &whose);
		answer(recall, buf_str(&key), buf_str(&whose), buf_str(&text), range);
	} else {
		fail_entry(recall, buf_str(&key), "does not match its key");
	}
	buf_free(&key);
	buf_free(&json);
	buf_free(&text);
	buf_free(&whose);
}

/* The entries whose keys begin with the digits, as many as there is room for. */
static void
list_candidates(struct look_up *recall)
{
	static const struct str more = STR_INIT("[there is more: type more digits]\n");
	const struct archive_index *index = &recall->index;
	struct buf *answer = &recall->answer, hex = BUF_INIT;

	buf_add_fmt(answer, "[%.*s is one of several]\n", STR_ARG(recall->digits));
	for (uint32_t i = index->count; i-- > 0 && !look_up_is_full(recall);) {
		const struct archive_key *key = &index->item[i].key;

		buf_reset(&hex);
		archive_key_write(key, &hex);
		if (index->item[i].kind < ARCHIVE_PASS && archive_index_find(index, key) == i &&
		    str_has_prefix(buf_str(&hex), recall->digits))
			look_up_add_entry(recall, i);
	}
	buf_free(&hex);
	if (look_up_fits(recall, buf_str(answer), STR(""), recall->options->tokens))
		return;
	answer->len = look_up_fitting(recall, buf_str(answer), more);
	buf_add_str(answer, more);
}

void
key_search_run(struct look_up *recall)
{
	bool is_alone;
	uint32_t item = archive_index_search(&recall->index, recall->digits, &is_alone);

	if (item == NONE)
		fail_entry(recall, recall->digits, "is not there");
	else if (!is_alone)
		list_candidates(recall);
	else
		recall_entry(recall, item);
}
