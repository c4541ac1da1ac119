#include "policy/outline/outline_said.h"

#include "base/text/text.h"
#include "policy/text/line_start.h"

enum {
	SAID_MOST = 600, /* bytes of a paragraph */
	FADE = 3,        /* what a line loses of its value for each one before it */
	FIRST_LINES = 7, /* of a message: those behind them are worth less than a call */
	INNER = 4,       /* what is part of another line is worth what so many lines on is */
	LATER = 160,     /* what the first one behind them is worth, and the last one */
	LEAST = 110,
	INTRODUCES = 110
};

static bool
is_announcement(struct str sentence)
{
	enum { SHORT = 28 }; /* bytes */
	static const struct str starts[] = {STR_INIT("Now "), STR_INIT("Let me "),
	    STR_INIT("Let's "), STR_INIT("I'll "), STR_INIT("I will "), STR_INIT("Perfect"),
	    STR_INIT("Great"), STR_INIT("Excellent"), STR_INIT("Next"), STR_INIT("First, "),
	    STR_INIT("Good"), STR_INIT("I need to "), STR_INIT("I'm going to "), STR_INIT("Sure"),
	    STR_INIT("Okay"), STR_INIT("Done"), STR_INIT("Fixed"), STR_INIT("You're right"),
	    STR_INIT("You're absolutely right"), STR_INIT("Here's what "),
	    STR_INIT("Here is what ")};

	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (str_has_prefix(sentence, starts[i]) &&
		    (sentence.len < SHORT || sentence.ptr[sentence.len - 1] == ':' || i < 5))
			return true;
	return false;
}

/* Takes the first sentence off the line. */
static struct str
take_sentence(struct str *line)
{
	size_t at = 1;

	while (at < line->len &&
	    !(line->ptr[at] == ' ' && memchr(".!?", line->ptr[at - 1], 3) != NULL))
		at++;
	at = at < line->len ? at : line->len;
	*line = (struct str){line->ptr + at, line->len - at};
	return str_trim(str_of(line->ptr - at, at));
}

unsigned
outline_said_value(struct str line, uint32_t before)
{
	if (line.ptr[0] == '#' || line.ptr[line.len - 1] == ':' || str_has_suffix(line, STR(":**")))
		return INTRODUCES;
	if (before < FIRST_LINES)
		return OUTLINE_SENTENCE - FADE * before;
	before -= FIRST_LINES;
	return before * FADE < LATER - LEAST ? LATER - before * FADE : LEAST;
}

/* Whether the line is an item in a list of another one. */
static bool
is_inner(struct str line)
{
	struct str item = str_trim(line);

	return item.len > 0 && item.ptr - line.ptr >= 2 &&
	    memchr("-*0123456789", item.ptr[0], 12) != NULL;
}

void
outline_said_add(struct outline_step *step, struct str text)
{
	struct buf left = BUF_INIT;
	uint32_t count = 0;

	while (text.len > 0) {
		struct str whole = str_take_line(&text), line = str_trim(whole);

		if (str_has_prefix(line, STR("```")))
			continue;
		if (str_has_prefix(line, STR("- ")) || str_has_prefix(line, STR("* ")))
			line = str_of(line.ptr + 2, line.len - 2);
		buf_reset(&left);
		while (line.len > 0) {
			struct str sentence = take_sentence(&line);

			if (sentence.len == 0 || is_announcement(sentence))
				continue;
			if (left.len > 0)
				buf_add_char(&left, ' ');
			buf_add_str(&left, sentence);
		}
		if (left.len < 12 || !text_has_letter(buf_str(&left)))
			continue;
		buf_reset(&step->text);
		line_start_add(buf_str(&left), SAID_MOST, &step->text);
		outline_step_add(step, OUTLINE_SAID,
		    outline_said_value(buf_str(&left), count + (is_inner(whole) ? INNER : 0)));
		count++;
	}
	buf_free(&left);
}
