#include "policy/text/placeholder.h"

#include "base/number.h"
#include "data/message/texts.h"
#include "data/session/session_calls.h"
#include "policy/attempts.h"
#include "policy/text/call_text.h"
#include "policy/text/recall.h"

/* What a word is about. */
struct about {
	struct session *session;
	uint32_t entry;
	const struct call *call;
	const struct message *message;
	struct estimator *estimator;
};

static void
add_tool(const struct about *about, struct buf *buf)
{
	call_text_add_tool(about->call, buf);
}

static void
add_target(const struct about *about, struct buf *buf)
{
	if (about->call->use.target.len > 0)
		call_text_add_target(about->call, buf);
}

static void
add_outcome(const struct about *about, struct buf *buf)
{
	buf_add_str(buf, attempts_outcome(about->session, about->call));
}

static void
add_bytes(const struct about *about, struct buf *buf)
{
	number_write_size(buf, message_text_len(about->message));
}

static void
add_tokens(const struct about *about, struct buf *buf)
{
	number_write_grouped(buf, weigh_entry(about->session, about->entry, about->estimator));
}

static void
add_archive(const struct about *about, struct buf *buf)
{
	recall_add_command(about->session, about->entry, buf);
}

static const struct word {
	struct str name;
	void (*add)(const struct about *about, struct buf *buf);
} words[] = {
    {STR_INIT("tool"), add_tool},
    {STR_INIT("target"), add_target},
    {STR_INIT("outcome"), add_outcome},
    {STR_INIT("bytes"), add_bytes},
    {STR_INIT("tokens"), add_tokens},
    {STR_INIT("archive"), add_archive},
};

/* The word whose opening brace is the first byte of text, with its braces in *span; NULL when there
 * is no such word. */
static const struct word *
find_word(struct str text, struct str *span)
{
	const char *end = memchr(text.ptr, '}', text.len);

	*span = str_of(text.ptr, end != NULL ? (size_t)(end + 1 - text.ptr) : text.len);
	for (size_t i = 0; end != NULL && i < ARRAY_COUNT(words); i++)
		if (str_eq(str_of(text.ptr + 1, span->len - 2), words[i].name))
			return &words[i];
	return NULL;
}

/* Takes the next piece off the template, which is not empty: a word, or text in *literal with NULL.
 * For a brace that begins no word, *wrong is set to the text there. */
static const struct word *
next_piece(struct str *template, struct str *literal, struct str *wrong)
{
	const char *brace = memchr(template->ptr, '{', template->len);
	const struct word *word = NULL;
	struct str span = *template;

	*literal = STR("");
	if (brace != template->ptr) {
		span.len = brace != NULL ? (size_t)(brace - template->ptr) : template->len;
		*literal = span;
	} else if (template->len > 1 && brace[1] == '{') {
		span.len = 2;
		*literal = str_of(brace, 1);
	} else if ((word = find_word(*template, &span)) == NULL) {
		*wrong = span;
	}
	*template = str_of(template->ptr + span.len, template->len - span.len);
	return word;
}

bool
placeholder_check(struct str template, struct str *wrong)
{
	struct str literal;

	*wrong = STR("");
	while (template.len > 0 && wrong->len == 0)
		next_piece(&template, &literal, wrong);
	return wrong->len == 0;
}

bool placeholder_names_archive(struct str template)
{
	struct str literal, wrong;

	while (template.len > 0) {
		const struct word *word = next_piece(&template, &literal, &wrong);

		if (word != NULL && word->add == add_archive)
			return true;
	}
	return false;
}

void
placeholder_write(struct str template, struct session *t, uint32_t entry,
    const struct message *message, struct estimator *estimator, struct buf *buf)
{
	const struct about about = {
	    t, entry, session_use(t, t->entry[entry].call), message, estimator};
	struct str literal, wrong;

	while (template.len > 0) {
		const struct word *word = next_piece(&template, &literal, &wrong);

		if (word != NULL)
			word->add(&about, buf);
		else
			buf_add_str(buf, literal);
	}
}
