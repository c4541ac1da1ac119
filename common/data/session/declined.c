#include "data/session/declined.h"

#include "data/message/texts.h"

/* What such a result has in its first bytes. */
static const struct str signs[] = {STR_INIT("The user doesn't want to proceed with this tool use"),
    STR_INIT("The user doesn't want to take this action"),
    STR_INIT("The user rejected permission to use"), STR_INIT("rejected by user"),
    STR_INIT("The user denied this operation"), STR_INIT("User denied"), STR_INIT("user declined"),
    STR_INIT("User rejected")};

/* The text before the words. */
static const struct str before_words[] = {STR_INIT("the user said:"),
    STR_INIT("following reason for the rejection:"), STR_INIT("the following feedback:"),
    STR_INIT("<feedback>"), STR_INIT("User feedback:")};

bool
declined_find(struct str text, struct str *words)
{
	enum { START = 200 };
	struct str start = str_of(text.ptr, text.len < START ? text.len : START);
	const char *at;

	*words = STR("");
	if (!STR_HAS_ANY(start, signs))
		return false;
	for (size_t i = 0; i < ARRAY_COUNT(before_words); i++) {
		if ((at = str_find(text, before_words[i])) == NULL)
			continue;
		at += before_words[i].len;
		*words = str_of(at, (size_t)(text.ptr + text.len - at));
		if ((at = str_find(*words, STR("</feedback>"))) != NULL)
			words->len = (size_t)(at - words->ptr);
		*words = str_trim(*words);
		break;
	}
	return true;
}

bool
declined_says(const struct message *message)
{
	struct buf text = BUF_INIT;
	struct str words;
	bool does;

	message_read_text(message, &text);
	does = declined_find(str_trim(buf_str(&text)), &words);
	buf_free(&text);
	return does;
}
