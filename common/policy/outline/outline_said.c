#include "policy/outline/outline_said.h"

#include "base/byte.h"
#include "base/text/text.h"
#include "policy/constraints/word.h"
#include "policy/text/line_start.h"

enum {
	SAID_MOST = 600, /* bytes of a paragraph */
	FADE = 3,        /* value that a line loses for each line before it */
	FIRST_LINES = 7, /* of a message: later lines are worth less than a call */
	INNER = 4,       /* a line inside another one counts as if it came so many lines later */
	LATER = 160,     /* the value of the first later line, and of the last one */
	LEAST = 110,
	INTRODUCES = 110
};

/* Takes an exclamation off the front of a sentence: "Good, now I look", "Great idea!". A word
 * without a mark after it is no exclamation: "Good lamps burn". */
static bool
take_exclamation(struct str *sentence)
{
	static const char exclamations[] =
	    "good|great|perfect|excellent|nice|sure|okay|ok|alright|right|yes|ah|got it|found it|"
	    "i see|understood|done|fixed|actually|wait|hmm";
	struct str rest = str_rest(*sentence, word_begins(*sentence, exclamations));
	size_t marks = 0;

	if (rest.len == sentence->len)
		return false;
	rest = str_trim(rest);
	rest = str_rest(rest, word_begins(rest, "idea|question|point|catch|call|find|work|news"));
	while (marks < rest.len && !byte_is_word(rest.ptr[marks]) &&
	    !byte_is_in(rest.ptr[marks], "`\"'(*/~"))
		marks++;
	if (rest.len > 0 && (marks == 0 || (marks == 1 && rest.ptr[0] == ' ')))
		return false;
	*sentence = str_rest(rest, marks);
	return true;
}

/* Whether the text names anything: a file, a number, code. */
static bool
has_name(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (byte_is_digit(text.ptr[i]) || byte_is_in(text.ptr[i], "`\"/_(:=?") ||
		    (text.ptr[i] == '.' && i + 1 < text.len && byte_is_word(text.ptr[i + 1])))
			return true;
	return false;
}

/* Whether the sentence only announces the agent's next step, or only says that it found something,
 * without naming it. */
static bool
is_announcement(struct str sentence)
{
	enum { SHORT = 28, SEEN_MOST = 80 }; /* bytes */
	static const char acts[] = "now|let me|let's|i'll|i will";
	static const char starts[] = "next|first,|i need to|i'm going to|you're right|"
				     "you're absolutely right|here's what|here is what";
	static const char seen[] =
	    "i have everything|i have all|i have what|i have enough|i have a clear|i have a good|"
	    "i have the full|i've got|i've read|i've seen|i have read|i have seen|i now have|"
	    "i now understand|i understand|i see the issue|i see the problem|i see what|"
	    "i can see the issue|i can see the problem|i found the issue|i found the problem|"
	    "that's everything|almost there";

	bool answers = word_begins(sentence, "yes") > 0;

	while (take_exclamation(&sentence))
		;
	if (sentence.len == 0)
		return !answers;
	if (word_begins(sentence, acts) > 0)
		return true;
	if (word_begins(sentence, starts) > 0)
		return sentence.len < SHORT || sentence.ptr[sentence.len - 1] == ':';
	return sentence.len <= SEEN_MOST && word_begins(sentence, seen) > 0 && !has_name(sentence);
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
