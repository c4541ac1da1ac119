#include "policy/redact/stand_in.h"

#include "data/message/message_names.h"
#include "data/message/tool_output.h"
#include "json/members.h"
#include "json/string.h"
#include "policy/redact/member.h"
#include "policy/secret/alphabet.h"

/* Members whose value is a word of the format, of the model or of the tools. */
static const struct str words[] = {STR_INIT("type"), STR_INIT("role"), STR_INIT("kind"),
    STR_INIT("subtype"), STR_INIT("status"), STR_INIT("tool"), STR_INIT("toolName"),
    STR_INIT("tool_name"), STR_INIT("model"), STR_INIT("modelID"), STR_INIT("modelId"),
    STR_INIT("provider"), STR_INIT("providerID"), STR_INIT("api"), STR_INIT("stop_reason"),
    STR_INIT("stopReason"), STR_INIT("finish"), STR_INIT("finish_reason"), STR_INIT("level"),
    STR_INIT("operation"), STR_INIT("phase"), STR_INIT("mode"), STR_INIT("history_mode"),
    STR_INIT("trigger"), STR_INIT("version"), STR_INIT("cli_version"), STR_INIT("record_type"),
    STR_INIT("origin"), STR_INIT("scope"), STR_INIT("section"), STR_INIT("object"),
    STR_INIT("media_type"), STR_INIT("mediaType"), STR_INIT("mimeType"), STR_INIT("mime"),
    STR_INIT("detail"), STR_INIT("field"), STR_INIT("function_name"), STR_INIT("model_name"),
    STR_INIT("schema_version"), STR_INIT("message_type")};

/* Members that have a word in one format and a text in another: the words that stay. */
static const struct {
	struct str name;
	const char *words;
} some_words[] = {
    {STR_INIT("source"), "user agent environment system"},
    {STR_INIT("action"),
	"message run run_ipython read write edit browse browse_interactive delegate think finish "
	"reject "
	"system condensation recall change_agent_state"},
    {STR_INIT("observation"),
	"run run_ipython read write edit browse delegate think error success recall "
	"agent_state_changed null"},
};

/* Members with the inputs and outputs of tools and extensions, of any type; and those that are such
 * only as objects, since their lists have items or parts. */
static const struct str given[] = {STR_INIT("arguments"), STR_INIT("args"), STR_INIT("parameters"),
    STR_INIT("toolUseResult"), STR_INIT("structuredContent"), STR_INIT("facts"),
    STR_INIT("details"), STR_INIT("resultDisplay"), STR_INIT("parsed_cmd"), STR_INIT("env"),
    STR_INIT("resource")};
static const struct str given_object[] = {
    STR_INIT("input"), STR_INIT("output"), STR_INIT("response")};

/* Whether the level is an input or output of a tool, except for the members that a reader of the
 * session needs: an attachment has the texts that a user queued, and the metadata of a state the
 * session of a subagent. */
static bool
begins_given(const struct json_leaves *leaves, unsigned i)
{
	const struct json_level *level = &leaves->level[i];

	if (!level[0].is_object)
		return false;
	if (!level[1].is_object)
		return JSON_IS_ONE_OF(level[0].name, given);
	if (json_is(level[0].name, STR("attachment")))
		return !json_is(level[1].name, STR("type")) &&
		    !json_is(level[1].name, STR("prompt"));
	if (i > 0 && level[-1].is_object && json_is(level[-1].name, STR("state")) &&
	    json_is(level[0].name, STR("metadata")))
		return !json_is(level[1].name, STR("sessionId"));
	return JSON_IS_ONE_OF(level[0].name, given) || JSON_IS_ONE_OF(level[0].name, given_object);
}

bool
stand_in_is_given(const struct json_leaves *leaves, bool is_custom)
{
	if (is_custom && leaves->depth > 1 && json_is(leaves->level[0].name, STR("data")))
		return true;
	for (unsigned i = 0; i + 1 < leaves->depth; i++)
		if (begins_given(leaves, i))
			return true;
	return false;
}

static bool
is_call(struct json_value value)
{
	if (value.type == JSON_ARRAY)
		return is_call(json_first(value));
	return json_has(value, STR("name")) && json_has(value, STR("arguments"));
}

static bool
is_message(struct json_value value)
{
	static const struct str roles[] = {STR_INIT("system"), STR_INIT("user"),
	    STR_INIT("assistant"), STR_INIT("tool"), STR_INIT("model")};

	return JSON_IS_ONE_OF(json_find(value, STR("role")), roles) &&
	    (json_has(value, STR("content")) || json_has(value, STR("parts")));
}

/* Whether the value is messages that a trace has in a string, or a string that may hold them. */
static bool
is_traced(struct json_value name, struct json_value value)
{
	if (!json_is(name, STR("input")) && !json_is(name, STR("output")) &&
	    name.type != JSON_ABSENT)
		return false;
	return value.type == JSON_STRING ||
	    is_message(value.type == JSON_ARRAY ? json_first(value) : value) ||
	    json_find(value, STR("messages")).type == JSON_ARRAY ||
	    json_has(value, STR("contents")) || json_has(value, STR("candidates"));
}

bool
stand_in_opens(const struct json_leaves *leaves, struct str text, bool *is_given)
{
	struct json_value name = json_leaves_name(leaves);
	struct json_value value = json_value_at(str_trim(text).ptr);

	*is_given = false;
	if (is_traced(name, value))
		return true;
	*is_given = !json_is(name, STR("value"));
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

/* Whether the text begins with the shape, in which 0 is any digit; it is then taken off. */
static bool
take_shape(struct str *text, const char *shape)
{
	size_t len = strlen(shape);

	if (text->len < len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (shape[i] == '0' ? !alphabet_has(ALPHABET_DIGIT, text->ptr[i]) :
				      text->ptr[i] != shape[i])
			return false;
	*text = str_of(text->ptr + len, text->len - len);
	return true;
}

/* 2026-11-26T22:19:22Z and the like, and nothing behind it, under a name of times. */
static bool
is_time(struct str name, struct str text)
{
	static const struct str ends[] = {STR_INIT("ime"), STR_INIT("stamp"), STR_INIT("At"),
	    STR_INIT("_at"), STR_INIT("ed"), STR_INIT("start"), STR_INIT("end"), STR_INIT("ate")};
	enum { FRACTION_MOST = 9 };
	bool is_named = false;

	for (size_t i = 0; i < ARRAY_COUNT(ends); i++)
		is_named |= str_has_suffix(name, ends[i]);
	if (!is_named ||
	    (!take_shape(&text, "0000-00-00T00:00") && !take_shape(&text, "0000-00-00 00:00")))
		return false;
	take_shape(&text, ":00");
	if (take_shape(&text, ".0"))
		for (unsigned i = 1; i < FRACTION_MOST && take_shape(&text, "0"); i++)
			;
	return text.len == 0 ||
	    ((take_shape(&text, "Z") || take_shape(&text, "+00:00") ||
		 take_shape(&text, "-00:00")) &&
		text.len == 0);
}

/* Whether the member is one that a call or the definition of a tool has, or a message of a tool.
 * Sets *is_spoken when it is the role of another message. */
static bool
is_of_tool(struct json_value name, struct json_value value, bool *is_spoken)
{
	static const struct str members[] = {STR_INIT("arguments"), STR_INIT("args"),
	    STR_INIT("parameters"), STR_INIT("input_schema"), STR_INIT("inputSchema"),
	    STR_INIT("response"), STR_INIT("tool_call_id"), STR_INIT("tool_use_id")};
	struct str text = value.type == JSON_STRING ? json_inner(value) : STR("");
	bool is_role = json_is(name, STR("role"));

	if (is_role && (str_eq(text, STR("tool")) || str_eq(text, STR("function"))))
		return true;
	*is_spoken |= is_role && text.len > 0;
	return JSON_IS_ONE_OF(name, members) ||
	    (json_is(name, STR("type")) &&
		(str_find(text, STR("tool")) != NULL || str_find(text, STR("call")) != NULL));
}

/* Whether the name of the object at hand is that of a tool. Looks at so few objects around it, and
 * at each so few times, that a hostile record costs no more than its bytes. */
static bool
is_tool(const struct json_leaves *leaves)
{
	static const struct str holders[] = {STR_INIT("function"), STR_INIT("function_call"),
	    STR_INIT("functionCall"), STR_INIT("functionResponse"), STR_INIT("functions"),
	    STR_INIT("functionDeclarations"), STR_INIT("tool"), STR_INIT("tools"),
	    STR_INIT("tool_calls"), STR_INIT("toolCalls"), STR_INIT("custom")};
	enum { DEPTH_MOST = 12, MEMBERS_MOST = 16 };
	unsigned last = leaves->depth - 1, above = last;
	bool is_of = false, is_spoken = false;

	if (last >= DEPTH_MOST || leaves->level[last].index > MEMBERS_MOST)
		return false;
	while (above > 0 && !leaves->level[above - 1].is_object)
		above--;
	if (above > 0 && JSON_IS_ONE_OF(leaves->level[above - 1].name, holders))
		return true;
	for (struct json_walk walk = json_walk_of(json_value_at(leaves->level[last].from));
	     json_walk_next(&walk);)
		is_of |= is_of_tool(walk.name, walk.value, &is_spoken);
	return is_of && !is_spoken;
}

/* Whether the name at hand is the kind of an error: MessageAbortedError. */
static bool
is_error_kind(const struct json_leaves *leaves, struct str text)
{
	return leaves->depth > 1 && leaves->level[leaves->depth - 2].is_object &&
	    json_is(leaves->level[leaves->depth - 2].name, STR("error")) &&
	    str_has_suffix(text, STR("Error"));
}

/* Whether the member is one of some_words, with one of its words. */
static bool
is_some_word(struct json_value name, struct str text)
{
	for (size_t i = 0; i < ARRAY_COUNT(some_words); i++)
		if (json_is(name, some_words[i].name))
			return str_is_word_of(text, some_words[i].words, ' ');
	return false;
}

/* Whether the text is a word of the record's structure. */
static bool
is_structure(const struct json_leaves *leaves, struct str text)
{
	struct json_value name = json_leaves_name(leaves);

	if (name.type == JSON_STRING && is_time(json_inner(name), text))
		return true;
	if (member_is_id(name))
		return is_made_of(text, ALPHABET_TOKEN, ":|#", 256) && *text.ptr != '/';
	if (json_is(name, STR("name")) || json_is(name, STR("function")))
		return is_made_of(text, ALPHABET_DASH, ":", 64) &&
		    leaves->level[leaves->depth - 1].is_object &&
		    (is_error_kind(leaves, text) || is_tool(leaves));
	if (json_is(name, STR("from")))
		return role_speaker_find(leaves->value) != NULL;
	if (is_some_word(name, text))
		return true;
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

	for (size_t i = 0; i < ARRAY_COUNT(heads); i++)
		if (str_has_prefix(text, heads[i]) && text.ptr[text.len - 1] == ']' &&
		    is_made_of(str_of(text.ptr + heads[i].len, text.len - heads[i].len - 1),
			ALPHABET_DIGIT, " ", 24))
			return true;
	while (at < text.len && (unsigned char)text.ptr[at] < 0x80 &&
	    !alphabet_has(ALPHABET_ALNUM, text.ptr[at]))
		at++;
	return at == text.len;
}

/* What stays at the head of a text: how a command ended, or the sign of a command to the client,
 * which is no message. */
static struct str
find_head(const struct json_leaves *leaves, struct str text)
{
	struct json_value name = json_leaves_name(leaves);

	if (json_is(name, STR("output")))
		return tool_output_failure(json_inner(leaves->value));
	if ((json_is(name, STR("content")) || json_is(name, STR("text"))) &&
	    (*text.ptr == '/' || *text.ptr == '?'))
		return str_of(text.ptr, 1);
	return STR("");
}

bool
stand_in_write(const struct json_leaves *leaves, struct str text, bool is_name, bool is_given,
    struct buf *mark)
{
	enum { NAME_MOST = 64 };
	struct str head = STR("");

	if (is_empty(text) || (is_name && is_made_of(text, ALPHABET_DASH, "$", NAME_MOST)) ||
	    (!is_name && !is_given && is_structure(leaves, text)))
		return false;
	if (!is_name && !is_given)
		head = find_head(leaves, text);
	if (head.len > 0 && str_has_prefix(text, head) &&
	    is_empty(str_trim(str_of(text.ptr + head.len, text.len - head.len))))
		return false;
	buf_reset(mark);
	if (head.len > 0)
		buf_add_fmt(mark, "%.*s ", STR_ARG(head));
	if (is_name)
		buf_add_fmt(
		    mark, "[name %zu %u]", text.len, leaves->level[leaves->depth - 1].index);
	else
		buf_add_fmt(mark, "[%s %zu]", find_kind(text), text.len);
	return true;
}
