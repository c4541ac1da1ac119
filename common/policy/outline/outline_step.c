#include "policy/outline/outline_step.h"

#include "base/byte.h"
#include "data/archive/archive.h"
#include "data/change.h"
#include "policy/digest/wrapper.h"
#include "policy/text/line_start.h"
#include "policy/text/pasted.h"

enum {
	LINE_MOST = 240,  /* bytes of a detail */
	USER_MOST = 1200, /* of a message of the user */
	ANSWER_MOST = 80, /* of a line that may be an answer */
	PIECES_MOST = 8,  /* of the words of a message, between texts of a client */
	FADE = 2,         /* value that a line loses for each line of its class before it */
	FADE_MOST = 60,
};

static const uint8_t detail_values[OUTLINE_STEP_SOURCES][LINE_CLASSES] = {
    [OUTLINE_STEP_USER] = {0, 190, 190, 190, 210, 190, 190},
    [OUTLINE_STEP_PASTED] = {0, 120, 120, 130, 130, 150, 190},
    [OUTLINE_STEP_RUN] = {0, 110, 110, 120, 120, 160, 165},
    [OUTLINE_STEP_RECEIPT] = {0, 0, 0, 0, 0, 160, 165},
    [OUTLINE_STEP_WRITTEN] = {0, 110, 130, 140, 135, 0, 0},
    [OUTLINE_STEP_ADDED] = {0, 110, 130, 140, 135, 0, 0},
    [OUTLINE_STEP_REMOVED] = {0, 80, 90, 95, 90, 0, 0},
    [OUTLINE_STEP_FILE] = {0, 85, 105, 110, 110, 0, 0},
};

void
outline_step_begin(struct outline_step *step)
{
	memset(step->seen, 0, sizeof step->seen);
}

void
outline_step_take_key(struct outline_step *step, uint32_t entry)
{
	struct entry original = change_original(step->session, entry);
	struct buf digits = BUF_INIT;
	struct archive_key key;

	if (step->session->recall.len == 0)
		return;
	key = archive_key_of(entry_text(&original));
	archive_key_write(&key, &digits);
	step->key = outline_key(step->outline, str_of(digits.ptr, ARCHIVE_KEY_SHORT));
	buf_free(&digits);
}

bool
outline_step_add(struct outline_step *step, enum outline_kind kind, unsigned value)
{
	struct outline_line line = {
	    .text = buf_str(&step->text), .kind = (uint8_t)kind, .value = (uint8_t)value};

	if (kind <= OUTLINE_CALL)
		line.key = step->key;
	if (kind == OUTLINE_CALL)
		line.made.outcome = line.made.ended = step->outcome;
	line.is_text = step->adds_text;
	line.is_told = kind == OUTLINE_CALL && step->was_told;
	return outline_add(step->outline, line);
}

static void
add_detail(struct outline_step *step, struct str bare, enum outline_step_source source,
    enum line_class class)
{
	static const enum outline_kind kinds[OUTLINE_STEP_SOURCES] = {OUTLINE_MORE, OUTLINE_MORE,
	    OUTLINE_FOUND, OUTLINE_FOUND, OUTLINE_ADDED, OUTLINE_ADDED, OUTLINE_REMOVED,
	    OUTLINE_FOUND};
	unsigned value = detail_values[source][class], fade;

	if (value == 0)
		return;
	fade = step->seen[class]++ * FADE;
	value -= fade < FADE_MOST ? fade : FADE_MOST;
	value -= (unsigned)(bare.len < LINE_MOST ? bare.len : LINE_MOST) / 16;
	buf_reset(&step->text);
	line_start_add(bare, LINE_MOST, &step->text);
	outline_step_add(step, kinds[source], value);
}

static const enum line_class_origin origins[OUTLINE_STEP_SOURCES] = {LINE_OF_OUTPUT, LINE_OF_OUTPUT,
    LINE_OF_OUTPUT, LINE_OF_OUTPUT, LINE_OF_TEXT, LINE_OF_EDIT, LINE_OF_EDIT, LINE_OF_TEXT};

/* Whether a line of the user's own words may answer something, as "1. yes" and "8080" do. */
static bool
is_short_answer(struct str text)
{
	if (text.len > ANSWER_MOST)
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (byte_is_word(text.ptr[i]) || (text.ptr[i] & 0x80) != 0)
			return true;
	return false;
}

void
outline_step_add_detail(struct outline_step *step, struct str line, enum outline_step_source source)
{
	struct str bare = line_class_bare(line);
	enum line_class class = line_class_of(bare, origins[source]);

	if (source == OUTLINE_STEP_USER && class == LINE_NOISE && is_short_answer(bare))
		class = LINE_VALUE;
	step->adds_text = source == OUTLINE_STEP_FILE;
	add_detail(step, bare, source, class);
	step->adds_text = false;
}

/* Of a verdict without a subject, the line that names it is an error, too. */
static void
add_cause(struct outline_step *step, struct str line, struct str rest)
{
	struct str bare = line_class_bare(line), cause = line_class_cause(bare, rest);

	if (cause.ptr != bare.ptr)
		add_detail(step, line_class_bare(cause), OUTLINE_STEP_RUN, LINE_ERROR);
}

/* The text without the escapes that colour it; of each line only the text that a terminal shows at
 * last. */
static struct str
shown_text(struct str text, struct buf *buf)
{
	size_t line = 0;

	if (text.len == 0 || memchr(text.ptr, '\x1b', text.len) == NULL)
		return text;
	buf_reset(buf);
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '\x1b') {
			while (i + 1 < text.len &&
			    memchr("[;?0123456789", text.ptr[i + 1], 13) != NULL)
				i++;
			i++;
			continue;
		}
		if (c == '\r')
			buf->len = line;
		else
			buf_add_char(buf, c);
		if (c == '\n')
			line = buf->len;
	}
	return buf_str(buf);
}

/* Whether the text is the only line of a result. */
static bool
is_answer(struct str text, enum outline_step_source source)
{
	return (source == OUTLINE_STEP_RUN || source == OUTLINE_STEP_FILE) && text.len > 0 &&
	    str_is_one_line(text) && !str_has_prefix(text, STR("<system-reminder>"));
}

void
outline_step_add_details(
    struct outline_step *step, struct str text, enum outline_step_source source)
{
	struct buf shown = BUF_INIT;
	enum pasted pasted = PASTED_NOT;
	bool is_reminder = false, is_user = source == OUTLINE_STEP_USER;

	text = str_trim(shown_text(text, &shown));
	if (is_answer(text, source)) {
		text = line_class_bare(text);
		add_detail(step, text, source, line_class_of_whole(text, origins[source]));
		text = STR("");
	}
	while (text.len > 0) {
		struct str line = str_take_line(&text);

		if (is_user)
			source = (pasted = pasted_next(pasted, line)) == PASTED_NOT ?
			    OUTLINE_STEP_USER :
			    OUTLINE_STEP_PASTED;
		is_reminder |= str_has_prefix(line, STR("<system-reminder>"));
		if (source == OUTLINE_STEP_RUN && !is_reminder)
			add_cause(step, line, text);
		if (!is_reminder)
			outline_step_add_detail(step, line, source);
		is_reminder &= str_find(line, STR("</system-reminder>")) == NULL;
	}
	buf_free(&shown);
}

void
outline_step_add_user(struct outline_step *step, struct str text)
{
	struct str words = wrapper_inside(text), rest = pasted_skip(words), line;
	struct str pasted = str_of(words.ptr, words.len - rest.len);
	bool is_added = false;

	outline_step_begin(step);
	/* If the first line is there already, the head is the first line that is not. */
	while (rest.len > 0 && !is_added) {
		line = str_trim(str_take_line(&rest));
		buf_reset(&step->text);
		line_start_add(line, USER_MOST, &step->text);
		is_added = line.len > 0 && outline_step_add(step, OUTLINE_USER, OUTLINE_WORDS);
	}
	if (!is_added)
		return;
	outline_step_add_details(step, pasted, OUTLINE_STEP_USER);
	outline_step_add_details(step, rest, OUTLINE_STEP_USER);
	wrapper_take(&text, &words);
	for (unsigned i = 0; i < PIECES_MOST && wrapper_take(&text, &words); i++)
		outline_step_add_details(step, words, OUTLINE_STEP_USER);
}
