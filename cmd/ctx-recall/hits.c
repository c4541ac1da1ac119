/*
 * The hits of a search: their headings, the form of their lines, and how many fit into an answer.
 */
#include "look_up.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/text/shell_word.h"
#include "base/text/utf8.h"
#include "data/archive/archive_text.h"
#include "face/choices/recall_command.h"

static bool
fits(struct look_up *recall, struct str text, uint64_t tokens)
{
	struct message message;
	struct buf json = BUF_INIT;
	bool does_fit;

	message_say(&message, text, &json);
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

bool
look_up_message(struct look_up *recall, uint32_t item, struct buf *json, struct message *message)
{
	const struct archive_index *index = &recall->index;
	struct archive_key older;

	if (index->item[item].kind != ARCHIVE_RECORD ||
	    archive_index_find(index, &index->item[item].key) != item ||
	    !archive_index_load(index, item, json))
		return false;
	message_parse(message, buf_str(json));
	return message->kind == RECORD_MESSAGE &&
	    (!archive_key_of_message(message, &older) || archive_index_find(index, &older) == NONE);
}

bool
look_up_text(struct look_up *recall, uint32_t item, struct buf *text, struct buf *whose)
{
	struct buf json = BUF_INIT;
	struct message message;
	bool is_there = look_up_message(recall, item, &json, &message);

	buf_reset(text);
	buf_reset(whose);
	if (is_there) {
		archive_text_write(&message, text);
		buf_add_str(whose, role_name(message.role));
		archive_text_about(&recall->index, &recall->index.item[item].key, whose);
	}
	buf_free(&json);
	return is_there;
}

/* Appends the first digits of the key of an entry. */
static void
add_key(struct look_up *recall, uint32_t item)
{
	archive_key_write(&recall->index.item[item].key, &recall->answer);
	recall->answer.len -= ARCHIVE_KEY_DIGITS - ARCHIVE_KEY_SHORT;
	buf_add_char(&recall->answer, ' ');
}

void
look_up_add_heading(struct look_up *recall, uint32_t item, struct str whose)
{
	buf_add_char(&recall->answer, '[');
	add_key(recall, item);
	buf_add_str(&recall->answer, whose);
	buf_add_str(&recall->answer, STR("]\n"));
}

void
look_up_add_line(struct look_up *recall, uint64_t number, char mark, struct str line,
    struct str match, size_t most)
{
	struct buf *buf = &recall->answer;
	size_t at = (size_t)(match.ptr - line.ptr);
	size_t before = match.len < most ? (most - match.len) / 2 : 0;
	size_t start = at > before ? at - before : 0, end;

	if (line.len - start < most)
		start = line.len > most ? line.len - most : 0;
	end = line.len - start > most ? start + most : line.len;
	start = utf8_floor(line, start);
	end = utf8_ceil(line, end);
	buf_add_fmt(buf, "%ju%c ", (uintmax_t)number, mark);
	if (start > 0)
		buf_add_str(buf, STR("…"));
	buf_add_str(buf, str_of(line.ptr + start, end - start));
	if (end < line.len)
		buf_add_str(buf, STR("…"));
	buf_add_char(buf, '\n');
}

bool
look_up_is_full(const struct look_up *recall)
{
	enum { TOKEN_BYTES = 16 };

	return recall->answer.len / TOKEN_BYTES > recall->options->tokens;
}

bool
look_up_add_hit(struct look_up *recall, uint32_t item, size_t start, size_t line_end)
{
	bool is_shown = recall->hit_count >= recall->options->skip;

	if (!is_shown)
		recall->answer.len = line_end = start;
	LIST_ADD(recall->hit, recall->hit_count, recall->hit_cap,
	    (struct look_up_hit){line_end, recall->answer.len, item, item, 1});
	return is_shown;
}

/* Says at the hits of many entries how many they are. */
static void
note_keys(struct look_up *recall)
{
	struct buf noted = BUF_INIT;
	size_t at = 0;

	for (uint32_t i = 0; i < recall->hit_count; i++) {
		struct look_up_hit *hit = &recall->hit[i];

		if (hit->end > at && hit->keys > 1) {
			buf_add(&noted, recall->answer.ptr + at, hit->line_end - at);
			buf_add_fmt(&noted, " [under %ju keys]", (uintmax_t)hit->keys);
			at = hit->line_end;
		}
		buf_add(&noted, recall->answer.ptr + at, hit->end - at);
		at = hit->end;
		hit->end = noted.len;
	}
	buf_free(&recall->answer);
	recall->answer = noted;
}

static void
add_option(struct buf *rest, struct str name, const char *value)
{
	buf_add_str(rest, name);
	shell_word_add(rest, value);
}

/* Sets rest to the command for the hits after the first count. */
static void
write_rest(const struct look_up *recall, uint64_t count, struct buf *rest)
{
	const struct look_up_options *options = recall->options;

	buf_set(rest, STR("[there is more: "));
	recall_command_add(rest, recall->archive);
	if (recall->log != NULL) {
		shell_word_add_file(rest, recall->log);
		buf_add_char(rest, ' ');
	}
	if (options->lists)
		buf_add_str(rest, STR("--list"));
	else if (options->words != NULL)
		add_option(rest, STR("-F "), options->words);
	else if (options->search != NULL)
		add_option(rest, STR("--search "), options->search);
	else
		add_option(rest, STR("--file "), options->file);
	if (options->context != LOOK_UP_NO_CONTEXT)
		buf_add_fmt(rest, " -C %ju", (uintmax_t)options->context);
	if (options->tokens != LOOK_UP_TOKENS)
		buf_add_fmt(rest, " --tokens %ju", (uintmax_t)options->tokens);
	buf_add_fmt(rest, " --skip %ju]\n", (uintmax_t)count);
}

/* How many of the hits fit with the command for the rest, which rest is set to. */
static uint32_t
fitting_hits(struct look_up *recall, uint32_t first, struct buf *rest)
{
	uint32_t low = first, high = recall->hit_count;

	if (!recall->has_more &&
	    look_up_fits(recall, buf_str(&recall->answer), STR(""), recall->options->tokens))
		return high;
	while (low < high) {
		uint32_t middle = high - (high - low) / 2;
		size_t len = recall->hit[middle - 1].end;

		write_rest(recall, middle, rest);
		if (look_up_fits(recall, str_of(recall->answer.ptr, len), buf_str(rest),
			recall->options->tokens))
			low = middle;
		else
			high = middle - 1;
	}
	write_rest(recall, low > first ? low : low + 1, rest);
	return low;
}

/* Cuts the first hit, which does not fit alone, in its lines. */
static void
cut_hit(struct look_up *recall, struct str hit, struct str rest)
{
	static const struct str cut = STR_INIT("…\n");
	struct str lines = hit, heading;
	struct buf around = BUF_INIT;

	heading = hit.ptr[0] == '[' ? str_take_line(&lines) : str_of(hit.ptr, 0);
	buf_add_str(&around, heading);
	buf_add_str(&around, cut);
	buf_add_str(&around, rest);
	recall->answer.len = hit.len - lines.len + look_up_fitting(recall, lines, buf_str(&around));
	if (recall->answer.ptr[recall->answer.len - 1] != '\n')
		buf_add_str(&recall->answer, cut);
	buf_free(&around);
}

void
look_up_finish(struct look_up *recall)
{
	uint64_t skip = recall->options->skip;
	struct buf rest = BUF_INIT;
	uint32_t first, count;

	if (recall->hit_count > skip) {
		first = (uint32_t)skip;
		note_keys(recall);
		count = fitting_hits(recall, first, &rest);
		if (count == first)
			cut_hit(recall, str_of(recall->answer.ptr, recall->hit[first].end),
			    buf_str(&rest));
		else
			recall->answer.len = recall->hit[count - 1].end;
		if (count < recall->hit_count || recall->has_more)
			buf_add_str(&recall->answer, buf_str(&rest));
	}
	free(recall->hit);
	buf_free(&rest);
}

static void
add_summary(struct look_up *recall, uint32_t item, struct str text, struct str whose)
{
	add_key(recall, item);
	buf_add_str(&recall->answer, whose);
	buf_add_str(&recall->answer, STR(": "));
	archive_text_beginning(text, &recall->answer);
	buf_add_char(&recall->answer, '\n');
}

void
look_up_add_entry(struct look_up *recall, uint32_t item)
{
	struct buf json = BUF_INIT, text = BUF_INIT, whose = BUF_INIT;

	if (recall->index.item[item].kind == ARCHIVE_LIST) {
		add_key(recall, item);
		buf_add_str(&recall->answer, STR("dropped\n"));
	} else if (look_up_text(recall, item, &text, &whose)) {
		add_summary(recall, item, buf_str(&text), buf_str(&whose));
	} else {
		add_key(recall, item);
		buf_add_str(&recall->answer,
		    archive_index_load(&recall->index, item, &json) ?
			STR("was compacted again\n") :
			STR("does not match its key\n"));
	}
	buf_free(&json);
	buf_free(&text);
	buf_free(&whose);
}

void
list_run(struct look_up *recall)
{
	struct buf text = BUF_INIT, whose = BUF_INIT;
	uint32_t pass = 1, headed = 0;

	for (uint32_t i = 0; i < recall->index.count && !recall->has_more; i++) {
		size_t start = recall->answer.len;

		pass += recall->index.item[i].kind == ARCHIVE_PASS;
		if (!look_up_text(recall, i, &text, &whose))
			continue;
		if (headed < pass)
			buf_add_fmt(&recall->answer, "[pass %ju]\n", (uintmax_t)pass);
		add_summary(recall, i, buf_str(&text), buf_str(&whose));
		if (look_up_add_hit(recall, i, start, start))
			headed = pass;
		recall->has_more = look_up_is_full(recall);
	}
	look_up_finish(recall);
	buf_free(&text);
	buf_free(&whose);
}
