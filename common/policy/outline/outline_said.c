#include "policy/outline/outline_said.h"

#include "base/text/text.h"
#include "policy/text/line_start.h"

enum {
	SAID_MOST = 600, /* bytes of a paragraph */
	FADE_MOST = 60   /* what a line loses of its value for those before it */
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

/* Headings and what introduces a list say little; of a long text, the first lines say most. */
static unsigned
value_of_said(struct str line, uint32_t before)
{
	unsigned fade = before * 3 < FADE_MOST ? before * 3 : FADE_MOST;

	if (line.ptr[0] == '#' || line.ptr[line.len - 1] == ':' || str_has_suffix(line, STR(":**")))
		return OUTLINE_SENTENCE - FADE_MOST - 40;
	return OUTLINE_SENTENCE - fade;
}

void
outline_said_add(struct outline_step *step, struct str text)
{
	struct buf left = BUF_INIT;
	uint32_t count = 0;

	while (text.len > 0) {
		struct str line = str_trim(str_take_line(&text));

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
		outline_step_add(step, OUTLINE_SAID, value_of_said(buf_str(&left), count++));
	}
	buf_free(&left);
}
