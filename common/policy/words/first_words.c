#include "policy/words/first_words.h"

#include "base/byte.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "data/message/texts.h"
#include "json/string.h"
#include "policy/digest/wrapper.h"
#include "policy/text/cut.h"

static bool
says_something(struct str line)
{
	for (size_t i = 0; i < line.len; i++)
		if (byte_is_digit(line.ptr[i]))
			return true;
	return text_has_letter(line);
}

/* Appends the line with one blank for those between its words. */
static void
add_squeezed(struct str text, size_t most, struct buf *line)
{
	size_t from = line->len;

	buf_add_str(line, utf8_start(text, most));
	line->len = from + text_squeeze(line->ptr + from, line->len - from).len;
}

/* Compilers warn of much that makes nothing fail. */
static bool
tells_of_error(struct str line)
{
	return cut_tells_of_error(line) && str_find(line, STR("warning")) == NULL;
}

/* Appends the lines of the text that have words; with only_errors, those about an error. */
static void
add_lines(struct str text, struct str joint, size_t most, bool only_errors, struct buf *line)
{
	size_t from = line->len;

	while (text.len > 0 && line->len - from < most) {
		struct str next = str_trim(str_take_line(&text));

		if (!says_something(next) || (only_errors && !tells_of_error(next)))
			continue;
		if (line->len > from)
			buf_add_str(line, joint);
		add_squeezed(next, most, line);
	}
}

void
first_words_add_lines(struct str text, struct str joint, size_t most, struct buf *line)
{
	add_lines(text, joint, most, false, line);
}

/* The thinking of a message, and the names for its images and files. */
struct beside_text {
	struct buf thinking, media;
	bool thinks;
};

static void
find_beside(void *context, enum text_kind kind, struct json_value value)
{
	struct beside_text *beside = context;

	buf_add_str(&beside->media, text_stand_in(kind));
	if (kind != TEXT_THINKING)
		return;
	beside->thinks = true;
	if (beside->thinking.len == 0)
		json_decode(value, &beside->thinking);
}

static struct str
text_of(const struct buf *buf)
{
	return buf->len > 0 ? buf_str(buf) : STR("");
}

void
first_words_add(
    const struct message *message, struct str joint, size_t most, bool has_failed, struct buf *line)
{
	struct beside_text beside = {.thinking = BUF_INIT, .media = BUF_INIT};
	struct buf text = BUF_INIT;
	struct str said, inside = STR("");
	size_t from;

	message_texts(message, find_beside, &beside);
	message_read_output(message, &text);
	said = text_of(&text);
	if (message->role == ROLE_USER)
		inside = wrapper_inside(said);
	if (inside.len > 0)
		said = inside;
	if (beside.thinks) {
		buf_add_str(line, STR("thinking"));
		buf_add_str(line, joint);
	}
	from = line->len;
	if (has_failed)
		add_lines(said, joint, most, true, line);
	if (line->len == from)
		add_lines(said, joint, most, false, line);
	if (line->len == from)
		add_lines(text_of(&beside.thinking), joint, most, false, line);
	if (line->len == from)
		add_squeezed(beside.media.len > 0 ? buf_str(&beside.media) : said, most, line);
	buf_free(&beside.thinking);
	buf_free(&beside.media);
	buf_free(&text);
}

void
first_words_add_role(const struct message *message, bool has_failed, struct buf *buf)
{
	if (message_is_artifact(message))
		json_decode(message->meta[METADATA_KIND], buf);
	else if (has_failed)
		buf_add_str(buf, STR("error"));
	else
		json_decode(message->role_value, buf);
}
