/*
 * --recall and --search: what an archive has, as text for an agent that types them in its shell.
 * The answer has at most --recall-tokens, and says what to type for more.
 */
#include "job.h"

#include <regex.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/archive_text.h"

struct recall {
	const struct options *options;
	struct fault fault;
	struct archive_index index;
	struct estimator estimator;
	struct buf answer;
};

/* Lines from first to last, from 1. */
struct range {
	uint64_t first;
	uint64_t last;
};

static _Noreturn void
refuse_key(const char *text)
{
	options_fail("bad value of --recall '%s', expected KEY, KEY:N, KEY:N- or KEY:N-M, with at "
		     "least 4 of the digits of the key",
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

/* Reads KEY[:LINES]. The digits are the first bytes of text. */
static struct range
read_key(const char *text, struct str *digits)
{
	enum { LEAST = 4 };
	struct range range = {1, UINT64_MAX};
	const char *p = text + strspn(text, "0123456789abcdef");

	*digits = str_of(text, (size_t)(p - text));
	if (digits->len < LEAST || digits->len > ARCHIVE_KEY_DIGITS || (*p != '\0' && *p != ':'))
		refuse_key(text);
	if (*p == '\0')
		return range;
	p++;
	if (!read_number(&p, &range.first))
		refuse_key(text);
	if (*p == '\0')
		range.last = range.first;
	else if (*p++ != '-' || (*p != '\0' && !read_number(&p, &range.last)) || *p != '\0')
		refuse_key(text);
	return range;
}

/* Whether the text has at most as many tokens as an answer may have. */
static bool
fits(struct recall *recall, struct str text)
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
	does_fit = !estimate_reaches(
	    &recall->estimator, &message, recall->options->recall_tokens + TOKENS_PER_MESSAGE + 1);
	buf_free(&json);
	return does_fit;
}

/* The length of the most whole lines of text that fit with what stands around them; of a line that
 * does not fit alone, the most bytes. */
static size_t
fitting(struct recall *recall, struct str text, struct str around)
{
	size_t low = 0, most = recall->options->recall_tokens * TOKENS_LEN_MAX;
	size_t high = text.len < most ? text.len : most;
	struct buf whole = BUF_INIT;

	while (low < high) {
		size_t middle = high - (high - low) / 2;

		buf_reset(&whole);
		buf_add_str(&whole, str_of(text.ptr, middle));
		buf_add_str(&whole, around);
		if (fits(recall, buf_str(&whole)))
			low = middle;
		else
			high = middle - 1;
	}
	buf_free(&whole);
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
cut_lines(struct str text, struct range range)
{
	const char *p = text.ptr, *end = text.ptr + text.len, *start = end;
	uint64_t line = 1;

	for (; p < end && line <= range.last; line++) {
		const char *lf = memchr(p, '\n', (size_t)(end - p));

		if (line == range.first)
			start = p;
		p = lf != NULL ? lf + 1 : end;
	}
	return start < p ? str_of(start, (size_t)(p - start)) : str_of(end, 0);
}

/* What is shown of a text, and what is left of the lines that were asked for. */
struct part_shown {
	struct str key;
	struct str text;
	bool is_cut; /* its last line goes on */
	uint64_t next;
	uint64_t last;
};

static void
add_rest(struct recall *recall, const struct part_shown *shown, struct buf *buf)
{
	if (shown->text.len > 0 && shown->text.ptr[shown->text.len - 1] != '\n')
		buf_add_char(buf, '\n');
	if (shown->is_cut)
		buf_add_str(
		    buf, STR("[the line goes on: --recall-tokens says how much is shown]\n"));
	if (shown->next > shown->last)
		return;
	buf_add_fmt(buf, "[%ju lines more: ", (uintmax_t)(shown->last - shown->next + 1));
	archiving_add_command(buf, recall->options->archive);
	buf_add_fmt(buf, "%.*s:%ju-%ju]\n", STR_ARG(shown->key), (uintmax_t)shown->next,
	    (uintmax_t)shown->last);
}

static void
add_head(struct buf *buf, struct str key, struct str what, struct range range, uint64_t all)
{
	buf_add_fmt(buf, "[%.*s %.*s, lines %ju-%ju of %ju]\n", STR_ARG(key), STR_ARG(what),
	    (uintmax_t)range.first, (uintmax_t)range.last, (uintmax_t)all);
}

/*
 * [0123456789ab tool, lines 1-40 of 120]
 * ...
 * [80 lines more: ctx-compact --archive A --recall 0123456789ab:41-120]
 */
static void
answer(struct recall *recall, struct str key, struct str what, struct str text, struct range range)
{
	uint64_t all = count_lines(text);
	struct str lines = cut_lines(text, range);
	struct part_shown shown = {key, STR("x"), true, all, all};
	struct buf around = BUF_INIT;

	range.last = range.last < all ? range.last : all;
	add_head(&around, key, what, (struct range){all, all}, all);
	add_rest(recall, &shown, &around);
	shown.text = str_of(lines.ptr, fitting(recall, lines, buf_str(&around)));
	shown.next = range.first + count_lines(shown.text);
	shown.last = range.last;
	shown.is_cut = shown.text.len > 0 && shown.text.len < lines.len &&
	    shown.text.ptr[shown.text.len - 1] != '\n';
	add_head(&recall->answer, key, what, (struct range){range.first, shown.next - 1}, all);
	buf_add_str(&recall->answer, shown.text);
	add_rest(recall, &shown, &recall->answer);
	buf_free(&around);
}

static void
fail_entry(struct recall *recall, struct str digits, const char *what)
{
	fault_set(&recall->fault, STATUS_DATA, "%s: entry %.*s %s", recall->options->archive,
	    STR_ARG(digits), what);
}

static void
recall_entry(struct recall *recall, uint32_t item, struct range range)
{
	struct buf key = BUF_INIT, json = BUF_INIT, text = BUF_INIT;
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
		answer(recall, buf_str(&key), role_name(message.role), buf_str(&text), range);
	} else {
		fail_entry(recall, buf_str(&key), "does not match its key");
	}
	buf_free(&key);
	buf_free(&json);
	buf_free(&text);
}

static void
recall_key(struct recall *recall)
{
	struct str digits;
	struct range range = read_key(recall->options->recall, &digits);
	bool is_alone;
	uint32_t item = archive_index_search(&recall->index, digits, &is_alone);

	if (item == NONE)
		fail_entry(recall, digits, "is not there");
	else if (!is_alone)
		fail_entry(recall, digits, "is one of several: more digits tell which");
	else
		recall_entry(recall, item, range);
}

/* Appends the lines of the text that match, each with the key and its number. */
static void
search_text(
    struct recall *recall, const regex_t *pattern, const struct archive_key *key, struct str text)
{
	enum { SHOWN = 200 };
	const char *p = text.ptr, *end = text.ptr + text.len;
	struct buf line = BUF_INIT;

	for (uint64_t number = 1; p < end; number++) {
		const char *lf = memchr(p, '\n', (size_t)(end - p));
		struct str raw = str_of(p, (size_t)((lf != NULL ? lf : end) - p));

		p += raw.len + 1;
		buf_reset(&line);
		buf_add_str(&line, raw);
		for (char *nul; (nul = memchr(line.ptr, '\0', line.len)) != NULL;)
			*nul = '\1'; /* the pattern sees the line to its end */
		buf_add_char(&line, '\0');
		if (regexec(pattern, line.ptr, 0, NULL, 0) != 0)
			continue;
		archive_key_write(key, &recall->answer);
		recall->answer.len -= ARCHIVE_KEY_DIGITS - ARCHIVE_KEY_SHORT;
		if (raw.len > SHOWN)
			raw.len = utf8_floor(raw, SHOWN);
		buf_add_fmt(&recall->answer, ":%ju: ", (uintmax_t)number);
		buf_add_str(&recall->answer, raw);
		buf_add_char(&recall->answer, '\n');
	}
	buf_free(&line);
}

/* Searches a record that is a message, unless what it was before is in the archive too. */
static void
search_entry(struct recall *recall, const regex_t *pattern, uint32_t item)
{
	const struct archive_index *index = &recall->index;
	struct buf json = BUF_INIT, text = BUF_INIT;
	struct archive_key older;
	struct message message;

	if (index->item[item].kind == ARCHIVE_RECORD &&
	    archive_index_find(index, &index->item[item].key) == item &&
	    archive_index_load(index, item, &json)) {
		message_parse(&message, buf_str(&json));
		if (message.kind == RECORD_MESSAGE &&
		    (!archive_key_of_message(&message, &older) ||
			archive_index_find(index, &older) == NONE)) {
			archive_text_write(&message, &text);
			search_text(recall, pattern, &index->item[item].key, buf_str(&text));
		}
	}
	buf_free(&json);
	buf_free(&text);
}

/* Searches the newest entries first, until there is more than an answer may have. */
static void
search(struct recall *recall)
{
	enum { TOKEN_BYTES = 16 };
	static const struct str more =
	    STR_INIT("[more lines match: a narrower pattern shows them]\n");
	const struct options *options = recall->options;
	uint64_t most = options->recall_tokens * TOKEN_BYTES;
	regex_t pattern;
	char text[128];
	int error = regcomp(&pattern, options->search, REG_EXTENDED | REG_NOSUB);
	size_t len;

	if (error == REG_ESPACE)
		mem_exhausted();
	if (error != 0) {
		regerror(error, NULL, text, sizeof text);
		options_fail("bad value of --search '%s': %s", options->search, text);
	}
	for (uint32_t i = recall->index.count; i-- > 0 && recall->answer.len <= most;)
		search_entry(recall, &pattern, i);
	regfree(&pattern);
	len = fitting(recall, buf_str(&recall->answer), more);
	if (len < recall->answer.len) {
		recall->answer.len = len;
		buf_add_str(&recall->answer, more);
	}
}

static void
check(const struct options *options, int count)
{
	if (options->archive == NULL)
		options_fail("--recall and --search need --archive");
	if (options->recall != NULL && options->search != NULL)
		options_fail("--recall and --search do not go together");
	if (count > 0)
		options_fail("--recall and --search read the archive alone, and no log");
}

/* The answer as a terminal may show it: line by line, with control characters made visible. */
static void
make_visible(struct buf *answer)
{
	struct buf text = BUF_INIT;
	const char *p = answer->ptr, *end = p + answer->len;

	while (p < end) {
		const char *lf = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((lf != NULL ? lf : end) - p);

		text_add_visible(&text, str_of(p, len));
		if (lf != NULL)
			buf_add_char(&text, '\n');
		p += len + 1;
	}
	buf_free(answer);
	*answer = text;
}

_Noreturn void
recall_run(const struct options *options, int count)
{
	struct recall recall = {.options = options, .fault = FAULT_INIT};
	enum status status = STATUS_OK;

	check(options, count);
	message_init();
	limits_check_estimator(&options->estimator);
	limits_open_estimator(&recall.estimator, &options->estimator, &recall.fault);
	if (archive_index_open(&recall.index, options->archive, &recall.fault)) {
		if (options->recall != NULL)
			recall_key(&recall);
		else
			search(&recall);
	}
	if (fault_is_set(&recall.fault))
		diag_die(recall.fault.status, "%.*s", STR_ARG(buf_str(&recall.fault.text)));
	if (recall.answer.len == 0) {
		diag_warn("nothing in '%s' matches '%s'", options->archive, options->search);
		status = STATUS_NO;
	}
	archive_index_close(&recall.index);
	estimator_close(&recall.estimator);
	if (isatty(STDOUT_FILENO))
		make_visible(&recall.answer);
	options_print(&recall.answer, status);
}
