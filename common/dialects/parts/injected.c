#include "dialects/parts/injected.h"

#include "json/string.h"

/* Whether the tag is followed by more than white space. */
static bool
has_words(struct str text, struct str tag)
{
	const char *at = tag.len > 0 ? str_find(text, tag) : NULL;
	struct str rest;

	if (at == NULL)
		return false;
	at += tag.len;
	rest = str_trim(str_of(at, (size_t)(text.ptr + text.len - at)));
	return rest.len > 0 && rest.ptr[0] != '<';
}

/* Whether the string may begin with one of the texts, by its first byte. */
static bool
may_begin(const struct injected *injected, struct json_value string)
{
	int first = json_first_byte(string);
	size_t i = 0;

	while (i < injected->count && injected->text[i].beginning.ptr[0] != first)
		i++;
	return i < injected->count;
}

static bool
is_injected(const struct injected *injected, struct json_value string, struct buf *scratch)
{
	struct str text;

	if (string.type != JSON_STRING || !may_begin(injected, string))
		return false;
	text = str_trim(json_text(string, scratch));
	for (size_t i = 0; i < injected->count; i++)
		if (str_has_prefix(text, injected->text[i].beginning))
			return !has_words(text, injected->text[i].words);
	return false;
}

bool
injected_content(const struct injected *injected, struct json_value content, struct buf *scratch)
{
	unsigned texts = 0;

	if (content.type == JSON_STRING)
		return is_injected(injected, content, scratch);
	for (struct json_walk walk = json_walk_of(content); json_walk_next(&walk);) {
		struct json_value type = json_find(walk.value, STR("type"));

		if (json_is(type, STR("tool_result")))
			continue;
		if (!is_injected(injected, json_find(walk.value, STR("text")), scratch))
			return false;
		texts++;
	}
	return texts > 0;
}
