#include "policy/redact/stand_in.h"

#include "json/members.h"
#include "json/string.h"
#include "policy/redact/member.h"
#include "policy/secret/alphabet.h"

/* Members whose value is a word of the format, of the model or of the tools. */
static const struct str words[] = {STR_INIT("type"), STR_INIT("role"), STR_INIT("from"),
    STR_INIT("kind"), STR_INIT("subtype"), STR_INIT("status"), STR_INIT("name"), STR_INIT("tool"),
    STR_INIT("toolName"), STR_INIT("tool_name"), STR_INIT("model"), STR_INIT("modelID"),
    STR_INIT("modelId"), STR_INIT("provider"), STR_INIT("providerID"), STR_INIT("api"),
    STR_INIT("stop_reason"), STR_INIT("stopReason"), STR_INIT("finish"), STR_INIT("finish_reason"),
    STR_INIT("level"), STR_INIT("operation"), STR_INIT("phase"), STR_INIT("mode"),
    STR_INIT("history_mode"), STR_INIT("trigger"), STR_INIT("version"), STR_INIT("cli_version"),
    STR_INIT("record_type"), STR_INIT("origin"), STR_INIT("scope"), STR_INIT("section"),
    STR_INIT("object"), STR_INIT("media_type"), STR_INIT("mediaType"), STR_INIT("mimeType"),
    STR_INIT("mime"), STR_INIT("detail"), STR_INIT("field")};

/* What tools are given and give, whatever it is; and what is so where it is an object: a list is
 * one of items or parts. */
static const struct str given[] = {STR_INIT("arguments"), STR_INIT("args"), STR_INIT("parameters"),
    STR_INIT("toolUseResult"), STR_INIT("structuredContent"), STR_INIT("facts")};
static const struct str given_object[] = {
    STR_INIT("input"), STR_INIT("output"), STR_INIT("response")};

bool
stand_in_is_given(const struct json_leaves *leaves)
{
	for (unsigned i = 0; i + 1 < leaves->depth; i++)
		if (leaves->level[i].is_object &&
		    (JSON_IS_ONE_OF(leaves->level[i].name, given) ||
			(leaves->level[i + 1].is_object &&
			    JSON_IS_ONE_OF(leaves->level[i].name, given_object))))
			return true;
	return false;
}

static bool
is_call(struct json_value value)
{
	struct json_walk walk;

	if (value.type == JSON_ARRAY) {
		json_walk_open(&walk, value);
		return json_walk_next(&walk) && is_call(walk.value);
	}
	return json_has(value, STR("name")) && json_has(value, STR("arguments"));
}

bool
stand_in_opens(const struct json_leaves *leaves, struct str text)
{
	struct json_value name = json_leaves_name(leaves);
	struct json_value value = json_value_at(str_trim(text).ptr);

	return json_is(name, STR("arguments")) ||
	    (json_is(name, STR("output")) &&
		json_find(value, STR("metadata")).type == JSON_OBJECT) ||
	    (json_is(name, STR("value")) && is_call(value));
}

/* Whether all bytes are of the alphabet or of the others, and there are at most so many. */
static bool
is_made_of(struct str text, enum alphabet alphabet, const char *others, size_t most)
{
	for (size_t i = 0; i < text.len; i++)
		if (!alphabet_has(alphabet, text.ptr[i]) &&
		    (text.ptr[i] == '\0' || strchr(others, text.ptr[i]) == NULL))
			return false;
	return text.len > 0 && text.len <= most;
}

/* 2026-11-26T22:19:22Z and the like. */
static bool
is_time(struct str text)
{
	return text.len >= sizeof "2026-11-26T22:19" - 1 && text.ptr[4] == '-' &&
	    text.ptr[7] == '-' && text.ptr[13] == ':' &&
	    is_made_of(text, ALPHABET_DIGIT, "-:.+ TZ", 40);
}

/* Whether the name of the object at hand is the name of who speaks there. Looks at so few objects
 * around it, and at each so few times, that a hostile record costs no more than its bytes. */
static bool
is_speaker(const struct json_leaves *leaves)
{
	enum { DEPTH_MOST = 12, MEMBERS_MOST = 16 };
	const struct json_level *level = &leaves->level[leaves->depth - 1];
	struct json_value role;

	if (leaves->depth > DEPTH_MOST || level->index > MEMBERS_MOST)
		return true;
	role = json_find(json_value_at(level->from), STR("role"));
	return role.type == JSON_STRING && !json_is(role, STR("tool")) &&
	    !json_is(role, STR("function"));
}

/* Whether the text is a word of the record's structure. */
static bool
is_structure(const struct json_leaves *leaves, struct str text)
{
	struct json_value name = json_leaves_name(leaves);

	if (is_time(text))
		return true;
	if (member_is_id(name))
		return is_made_of(text, ALPHABET_TOKEN, ":|#", 256) && *text.ptr != '/';
	if (json_is(name, STR("name")))
		return is_made_of(text, ALPHABET_DASH, ":", 64) &&
		    leaves->level[leaves->depth - 1].is_object && !is_speaker(leaves);
	return JSON_IS_ONE_OF(name, words) && is_made_of(text, ALPHABET_DASH, ".:/<>", 64);
}

static const char *
find_kind(struct str text)
{
	enum { BASE64_LEAST = 256 };

	if (str_has_prefix(text, STR("data:")) ||
	    (text.len >= BASE64_LEAST && is_made_of(text, ALPHABET_TOKEN, "", text.len)))
		return "base64";
	for (const char *p = text.ptr; p < text.ptr + text.len; p++)
		if ((unsigned char)*p <= ' ')
			return "text";
	if (str_find(text, STR("://")) != NULL)
		return "url";
	return str_find(text, STR("/")) != NULL || str_find(text, STR("\\")) != NULL ? "path" :
										       "text";
}

/* Whether nothing is left to hide: there is no letter and no digit, or the text is a stand-in. */
static bool
is_empty(struct str text)
{
	static const struct str heads[] = {STR_INIT("[text "), STR_INIT("[path "),
	    STR_INIT("[url "), STR_INIT("[base64 "), STR_INIT("[name ")};
	size_t at = 0;

	for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
		if (str_has_prefix(text, heads[i]) && text.ptr[text.len - 1] == ']' &&
		    is_made_of(str_of(text.ptr + heads[i].len, text.len - heads[i].len - 1),
			ALPHABET_DIGIT, " ", 24))
			return true;
	while (at < text.len && (unsigned char)text.ptr[at] < 0x80 &&
	    !alphabet_has(ALPHABET_ALNUM, text.ptr[at]))
		at++;
	return at == text.len;
}

bool
stand_in_write(const struct json_leaves *leaves, struct str text, bool is_name, bool is_given,
    struct buf *mark)
{
	enum { NAME_MOST = 64 };

	if (is_empty(text) || (is_name && is_made_of(text, ALPHABET_DASH, "$", NAME_MOST)) ||
	    (!is_name && !is_given && is_structure(leaves, text)))
		return false;
	buf_reset(mark);
	if (is_name)
		buf_add_fmt(
		    mark, "[name %zu %u]", text.len, leaves->level[leaves->depth - 1].index);
	else
		buf_add_fmt(mark, "[%s %zu]", find_kind(text), text.len);
	return true;
}
