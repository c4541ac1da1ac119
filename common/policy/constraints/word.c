#include "policy/constraints/word.h"

#include <strings.h>

#include "base/byte.h"

const char word_verbs[] =
    "add|ask|build|call|check|choose|commit|consult|copy|create|delete|deploy|discuss|do|"
    "document|drop|edit|explain|follow|format|get|give|go|include|inform|install|keep|leave|"
    "let|log|make|mark|merge|move|name|notify|pick|print|push|put|quote|read|remove|rename|"
    "replace|report|return|revert|review|run|save|set|show|skip|sort|start|stop|store|switch|"
    "take|talk|tell|test|touch|treat|update|use|verify|wait|wrap|write";

const char word_habits[] =
    "is|was|has|does|knows|cares|seems|understands|says|answers|sees|reads|looks|likes|wants|"
    "needs|remembers|notices|minds|thinks|believes|expects|complains|listens|comes|works|lives";

size_t
word_begins(struct str text, const char *list)
{
	const char *at = NULL;
	struct str phrase;
	size_t len = 0;

	while (len == 0 && text.len > 0 &&
	    str_next_word(list, '|', byte_lower(*text.ptr), &at, &phrase))
		len = phrases_begin(text, phrase);
	return len;
}

bool
word_is_in(struct str word, const char *list)
{
	struct str other;

	while (str_take_word(&list, '|', &other))
		if (word.len == other.len && strncasecmp(word.ptr, other.ptr, word.len) == 0)
			return true;
	return false;
}

struct str
word_first(struct str text)
{
	size_t len = 0;

	while (len < text.len && byte_is_word(text.ptr[len]))
		len++;
	return str_of(text.ptr, len);
}

struct str
word_before(struct str text, size_t at)
{
	size_t start;

	while (at > 0 && memchr(" \t\n*_", text.ptr[at - 1], 5) != NULL)
		at--;
	for (start = at; start > 0 && byte_is_word(text.ptr[start - 1]);)
		start--;
	return str_of(text.ptr + start, at - start);
}

size_t
word_next(struct str text, size_t at)
{
	while (at < text.len && byte_is_word(text.ptr[at]))
		at++;
	while (at < text.len && memchr(" \t\n*_", text.ptr[at], 5) != NULL)
		at++;
	return at;
}

struct str
word_behind(struct str text, size_t at)
{
	return word_first(str_rest(text, word_next(text, at)));
}

bool
word_is_third_person(struct str word)
{
	static const char others[] = "as|is|ss|us", does[] = "is|was|has|does";
	struct str end;

	if (word_is_in(word, does))
		return true;
	for (const char *list = others; str_take_word(&list, '|', &end);)
		if (str_has_suffix(word, end))
			return false;
	return word.len > 3 && str_has_suffix(word, STR("s"));
}
