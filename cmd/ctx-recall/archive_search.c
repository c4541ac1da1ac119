/*
 * --search: the lines of an archive's messages that match a pattern.
 */
#include "look_up.h"

#include "base/expression/expression.h"
#include "base/text/utf8.h"
#include "data/archive/archive_text.h"

/* Appends a line; of a long one, the part around its match. */
static void
add_line(struct buf *buf, struct str line, const char *match, const char *match_end)
{
	enum { SHOWN = 200 };
	size_t at = (size_t)(match - line.ptr), len = (size_t)(match_end - match);
	size_t before = len < SHOWN ? (SHOWN - len) / 2 : 0;
	size_t start = at > before ? at - before : 0, end;

	if (line.len - start < SHOWN)
		start = line.len > SHOWN ? line.len - SHOWN : 0;
	end = line.len - start > SHOWN ? start + SHOWN : line.len;
	start = utf8_floor(line, start);
	end = utf8_ceil(line, end);
	if (start > 0)
		buf_add_str(buf, STR("…"));
	buf_add_str(buf, str_of(line.ptr + start, end - start));
	if (end < line.len)
		buf_add_str(buf, STR("…"));
}

static void
add_key(struct look_up *recall, const struct archive_key *key)
{
	archive_key_write(key, &recall->answer);
	recall->answer.len -= ARCHIVE_KEY_DIGITS - ARCHIVE_KEY_SHORT;
}

/* Appends whose lines follow. */
static void
add_heading(struct look_up *recall, const struct archive_key *key, struct str role)
{
	buf_add_char(&recall->answer, '[');
	add_key(recall, key);
	buf_add_char(&recall->answer, ' ');
	buf_add_str(&recall->answer, role);
	archive_text_about(&recall->index, key, &recall->answer);
	buf_add_str(&recall->answer, STR("]\n"));
}

/* Appends the lines of the text that match, each with the key and its number. */
static void
search_text(struct look_up *recall, const struct archive_key *key, struct str role, struct str text)
{
	const char *p = text.ptr, *end = text.ptr + text.len;
	const char *match, *match_end;
	bool has_heading = false;

	for (uint64_t number = 1; p < end; number++) {
		const char *lf = memchr(p, '\n', (size_t)(end - p));
		struct str raw = str_of(p, (size_t)((lf != NULL ? lf : end) - p));

		p += raw.len + 1;
		if (!expression_find(&recall->pattern, raw, 0, &match, &match_end))
			continue;
		if (!has_heading)
			add_heading(recall, key, role);
		has_heading = true;
		add_key(recall, key);
		buf_add_fmt(&recall->answer, ":%ju: ", (uintmax_t)number);
		add_line(&recall->answer, raw, match, match_end);
		buf_add_char(&recall->answer, '\n');
	}
}

/* Searches a record that is a message, unless what it was before is in the archive too. */
static void
search_entry(struct look_up *recall, uint32_t item)
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
			search_text(recall, &index->item[item].key, role_name(message.role),
			    buf_str(&text));
		}
	}
	buf_free(&json);
	buf_free(&text);
}

void
search_parse(struct look_up *recall)
{
	const char *search = recall->options->search;
	struct buf phrase = BUF_INIT;

	if (!expression_init(&recall->pattern, search, &phrase))
		options_fail("bad value of --search '%s': %.*s", search, STR_ARG(buf_str(&phrase)));
}

/* The length of the heading that begins there, with its line end; or 0. */
static size_t
heading_at(struct str answer, size_t at)
{
	const char *lf = at < answer.len && answer.ptr[at] == '[' ?
	    memchr(answer.ptr + at, '\n', answer.len - at) :
	    NULL;

	return lf != NULL ? (size_t)(lf + 1 - answer.ptr) - at : 0;
}

/* The first len bytes without a heading at their end, of which no line is there. */
static size_t
without_heading(struct str answer, size_t first, size_t len)
{
	const char *lf = len > first + 1 ? memrchr(answer.ptr, '\n', len - 1) : NULL;
	size_t line = lf != NULL ? (size_t)(lf + 1 - answer.ptr) : first;

	return line > first && line < len && answer.ptr[line] == '[' ? line : len;
}

void
search_run(struct look_up *recall)
{
	enum { TOKEN_BYTES = 16 };
	static const struct str more =
	    STR_INIT("[there is more: a narrower pattern or a larger --tokens shows it]\n");
	static const struct str cut = STR_INIT("…\n");
	const struct look_up_options *options = recall->options;
	uint64_t most = options->tokens * TOKEN_BYTES;
	struct buf around = BUF_INIT;
	size_t heading, len;

	/* The newest first, until there is more than an answer may have. */
	for (uint32_t i = recall->index.count; i-- > 0 && recall->answer.len <= most;)
		search_entry(recall, i);
	expression_free(&recall->pattern);
	if (recall->answer.len == 0)
		return;
	heading = heading_at(buf_str(&recall->answer), 0);
	buf_add_str(&around, str_of(recall->answer.ptr, heading));
	buf_add_str(&around, cut);
	buf_add_str(&around, more);
	len = heading +
	    look_up_fitting(recall,
		str_of(recall->answer.ptr + heading, recall->answer.len - heading),
		buf_str(&around));
	len = without_heading(buf_str(&recall->answer), heading, len);
	buf_free(&around);
	if (len == recall->answer.len)
		return;
	recall->answer.len = len;
	if (len > 0 && recall->answer.ptr[len - 1] != '\n')
		buf_add_str(&recall->answer, cut);
	buf_add_str(&recall->answer, more);
}
