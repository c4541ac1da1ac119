/*
 * ctx-recall prints what an archive has, as text for an agent that types it in its shell. The
 * answer has at most --tokens, and says what to type for more.
 */
#include "look_up.h"

#include "../commands.h"
#include "base/diag.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "data/archive/archive_text.h"
#include "face/fault_die.h"
#include "face/choices/recall_command.h"
#include "face/terminal/terminal.h"

static const struct option table[] = {
    OPTIONS_UNDER("What is printed"),
    {"words", 'F', "WORDS", "print the passages that have the most and rarest of the words",
	OPTION_STRING, offsetof(struct look_up_options, words)},
    {"search", 0, "ERE", "print the lines in the archive that match, instead of an entry",
	OPTION_STRING, offsetof(struct look_up_options, search), .not_with = "words"},
    {"file", 0, "FILE", "print the newest state of a file, and its edits since", OPTION_STRING,
	offsetof(struct look_up_options, file), .not_with = "words search"},
    {"list", 0, NULL, "print a line for each message, pass by pass", OPTION_FLAG,
	offsetof(struct look_up_options, lists), .not_with = "words search file"},
    {"context", 'C', "N", "with a search: N lines around each hit", OPTION_COUNT,
	offsetof(struct look_up_options, context), .requires = "words search"},
    {"skip", 0, "N", "leave out the first N hits", OPTION_COUNT,
	offsetof(struct look_up_options, skip), .requires = "words search file list"},
    {"tokens", 0, "N", "the most that is printed (1k)", OPTION_COUNT,
	offsetof(struct look_up_options, tokens)},
    OPTIONS_UNDER("Counting"),
    OPTIONS_ESTIMATOR(OPTION_ROW, look_up_options),
    OPTIONS_UNDER("About the command"),
    OPTIONS_END,
};

static _Noreturn void
refuse_key(const char *text)
{
	options_fail("bad key '%s', expected KEY, KEY:N, KEY:N- or KEY:N-M, with at least 4 of the "
		     "digits of the key",
	    text);
}

static bool
read_number(const char **p, uint64_t *number)
{
	const char *start = *p;

	for (*number = 0; **p >= '0' && **p <= '9' && *p - start < 18; ++*p)
		*number = *number * 10 + (uint64_t)(**p - '0');
	return *p > start && *number > 0;
}

/* Parses KEY[:LINES]. */
static void
parse_key(struct look_up *recall, const char *text)
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

/* Whether the text has at most that many tokens. */
static bool
fits(struct look_up *recall, struct str text, uint64_t tokens)
{
	struct message message;
	struct buf json = BUF_INIT;
	struct json_writer w;
	bool does_fit;

	json_writer_init(&w, &json);
	json_open(&w, '{');
	json_member_string(&w, STR("role"), STR("user"));
	json_member_string(&w, STR("content"), text);
	json_close(&w);
	buf_pad(&json);
	message_parse(&message, buf_str(&json));
	does_fit = !estimate_reaches(&recall->estimator, &message, tokens + TOKENS_PER_MESSAGE + 1);
	buf_free(&json);
	return does_fit;
}

bool
look_up_fits(struct look_up *recall, struct str text, struct str around, uint64_t tokens)
{
	struct buf whole = BUF_INIT;
	bool does_fit;

	buf_add_str(&whole, text);
	buf_add_str(&whole, around);
	does_fit = fits(recall, buf_str(&whole), tokens);
	buf_free(&whole);
	return does_fit;
}

size_t
look_up_fitting(struct look_up *recall, struct str text, struct str around)
{
	uint64_t tokens = recall->options->tokens;
	size_t low = 0, most = tokens * TOKENS_LEN_MAX;
	size_t high = text.len < most ? text.len : most;

	if (high == text.len && look_up_fits(recall, text, around, tokens))
		return text.len;
	while (low < high) {
		size_t middle = high - (high - low) / 2;

		if (look_up_fits(recall, str_of(text.ptr, middle), around, tokens))
			low = middle;
		else
			high = middle - 1;
	}
	if (low == text.len)
		return low;
	for (size_t i = low; i > 0; i--)
		if (text.ptr[i - 1] == '\n')
			return i;
	return utf8_floor(text, low);
}

static uint64_t
count_lines(struct str text)
{
	uint64_t count = text.len > 0 && text.ptr[text.len - 1] != '\n';

	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == '\n';
	return count;
}

/* The lines of the range. */
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

/* What is shown of a text, and what is left of the lines that were asked for. */
struct part_shown {
	struct str key;
	struct str text;
	uint64_t tokens; /* with which the line that goes on is shown whole; 0: none goes on */
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
	if (shown.text.len < lines.len &&
	    (shown.text.len == 0 || shown.text.ptr[shown.text.len - 1] != '\n')) {
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
		buf_add_str(&whose, role_name(message.role));
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

/* The entries whose keys begin with the digits, for as many as there is room. */
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

static void
recall_key(struct look_up *recall)
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

/* The answer as a terminal may show it: line by line, with control characters made visible. */
static void
make_visible(struct buf *answer)
{
	struct str rest = buf_str(answer);
	struct buf text = BUF_INIT;

	while (rest.len > 0) {
		struct str line = str_take_line(&rest);

		text_add_visible(&text, line);
		if (line.ptr + line.len < answer->ptr + answer->len)
			buf_add_char(&text, '\n');
	}
	buf_free(answer);
	*answer = text;
}

static void
parse_operands(struct look_up *recall, char *const *operand, int count)
{
	const struct look_up_options *options = recall->options;
	bool is_search = options->search != NULL || options->words != NULL || options->lists;

	if (count == 0)
		options_fail("expected an archive");
	if (is_search && count > 1)
		options_fail("a search looks at the whole archive: expected no key");
	if (options->file != NULL && count > 2)
		options_fail("expected an archive and a log");
	if (!is_search && options->file == NULL && count != 2)
		options_fail("expected an archive and a key, -F, --search, --file or --list");
	recall->archive = operand[0];
	recall->log = options->file != NULL && count == 2 ? operand[1] : NULL;
	if (options->search != NULL)
		search_parse(recall);
	else if (!is_search && options->file == NULL)
		parse_key(recall, operand[1]);
}

static void
look_up(struct look_up *recall)
{
	if (recall->options->search != NULL)
		search_run(recall);
	else if (recall->options->words != NULL)
		ranked_search_run(recall);
	else if (recall->options->file != NULL)
		file_state_run(recall);
	else if (recall->options->lists)
		list_run(recall);
	else
		recall_key(recall);
}

static void
say_nothing(const struct look_up *recall)
{
	const struct look_up_options *options = recall->options;
	const char *more = options->skip > 0 ? " more" : "";

	if (options->lists)
		diag_warn("'%s' has no%s messages", recall->archive, more);
	else if (options->file != NULL)
		diag_warn("'%s' has nothing%s of '%s'", recall->archive, more, options->file);
	else
		diag_warn("nothing%s in '%s' matches '%s'", more, recall->archive,
		    options->words != NULL ? options->words : options->search);
}

static int
print(int argc, char **argv)
{
	struct look_up_options options = {.tokens = LOOK_UP_TOKENS, .context = LOOK_UP_NO_CONTEXT};
	int first = options_parse(&recall_command, argc, argv, &options);
	struct look_up recall = {.options = &options, .fault = FAULT_INIT};
	enum status status = STATUS_OK;

	parse_operands(&recall, argv + first, argc - first);
	message_init();
	limits_open_estimator(&recall.estimator, &options.estimator, &recall.fault);
	if (archive_index_open(&recall.index, recall.archive, &recall.fault))
		look_up(&recall);
	if (fault_is_set(&recall.fault))
		fault_die(&recall.fault);
	if (recall.answer.len == 0) {
		say_nothing(&recall);
		status = STATUS_NO;
	}
	archive_index_close(&recall.index);
	estimator_close(&recall.estimator);
	if (terminal_is_output())
		make_visible(&recall.answer);
	options_print(&recall.answer, status);
}

static const char *const essential[] = {
    "words", "search", "file", "list", "context", "tokens", "estimator", NULL};

const struct command recall_command = {.name = "ctx-recall",
    .synopsis = "[option]... ARCHIVE [KEY[:LINES] | LOG]",
    .purpose = "Print what compaction took out, from its archive.",
    .kind = COMMAND_LOOKS,
    .options = table,
    .essential = essential,
    .examples = {"ctx-recall log.archive -F 'Why did the gauge fail?'",
	"ctx-recall log.archive 0d9668678dce:1-40"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 74, 78},
    .no = "nothing matches, or the entry has no such line",
    .main = print};
