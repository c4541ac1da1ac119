#include "data/message/part.h"

#include "json/scan.h"
#include "json/string.h"

enum trait {
	IS_THOUGHT = 1,  /* thinking: blank to a reader */
	IS_PLAIN = 2,    /* a text and nothing else */
	IS_MEDIA = 4,    /* an image, audio or a file */
	IS_CALL = 8,     /* the name and the input count */
	IS_SERVERS = 16, /* a result in the shape of its tool, not in parts */
	IS_CHAT = 32,    /* chat completions have it: no sign of another format */
};

/* Parts by their type. */
static const struct part_type {
	struct str name;
	enum part_kind kind;
	uint8_t traits;
} types[] = {
    {STR_INIT("text"), PART_TEXT, IS_PLAIN | IS_CHAT},
    {STR_INIT("input_text"), PART_TEXT, 0},
    {STR_INIT("output_text"), PART_TEXT, 0},
    {STR_INIT("thinking"), PART_THINKING, IS_THOUGHT},
    {STR_INIT("redacted_thinking"), PART_REDACTED, IS_THOUGHT},
    {STR_INIT("reasoning"), PART_REASONING, IS_THOUGHT},
    {STR_INIT("reasoning_text"), PART_REASONING, 0},
    {STR_INIT("summary_text"), PART_REASONING, 0},
    {STR_INIT("refusal"), PART_REFUSAL, IS_CHAT},
    {STR_INIT("image"), PART_IMAGE, IS_MEDIA},
    {STR_INIT("image_url"), PART_IMAGE, IS_MEDIA | IS_CHAT},
    {STR_INIT("input_image"), PART_IMAGE, IS_MEDIA},
    {STR_INIT("audio"), PART_AUDIO, IS_MEDIA},
    {STR_INIT("input_audio"), PART_AUDIO, IS_MEDIA | IS_CHAT},
    {STR_INIT("file"), PART_FILE, IS_MEDIA | IS_CHAT},
    {STR_INIT("input_file"), PART_FILE, IS_MEDIA},
    {STR_INIT("document"), PART_FILE, IS_MEDIA},
    {STR_INIT("tool_use"), PART_CALL, IS_CALL},
    {STR_INIT("server_tool_use"), PART_CALL, IS_CALL},
    {STR_INIT("mcp_tool_use"), PART_CALL, IS_CALL},
    {STR_INIT("function_call"), PART_CALL, 0},
    {STR_INIT("custom_tool_call"), PART_CALL, 0},
    {STR_INIT("tool_result"), PART_RESULT, 0},
    {STR_INIT("mcp_tool_result"), PART_RESULT, 0},
    {STR_INIT("web_search_tool_result"), PART_RESULT, IS_SERVERS},
    {STR_INIT("web_fetch_tool_result"), PART_RESULT, IS_SERVERS},
    {STR_INIT("code_execution_tool_result"), PART_RESULT, IS_SERVERS},
    {STR_INIT("bash_code_execution_tool_result"), PART_RESULT, IS_SERVERS},
    {STR_INIT("text_editor_code_execution_tool_result"), PART_RESULT, IS_SERVERS},
    {STR_INIT("function_call_output"), PART_RESULT, 0},
    {STR_INIT("custom_tool_call_output"), PART_RESULT, 0},
};

/* Parts of Gemini have no type; the name of a member gives their kind. */
static const struct part_type untyped[] = {
    {STR_INIT("text"), PART_TEXT, 0},
    {STR_INIT("functionCall"), PART_CALL, 0},
    {STR_INIT("function_call"), PART_CALL, 0},
    {STR_INIT("executableCode"), PART_CALL, 0},
    {STR_INIT("executable_code"), PART_CALL, 0},
    {STR_INIT("functionResponse"), PART_RESULT, 0},
    {STR_INIT("function_response"), PART_RESULT, 0},
    {STR_INIT("codeExecutionResult"), PART_RESULT, 0},
    {STR_INIT("code_execution_result"), PART_RESULT, 0},
    {STR_INIT("inlineData"), PART_FILE, 0},
    {STR_INIT("inline_data"), PART_FILE, 0},
    {STR_INIT("fileData"), PART_FILE, 0},
    {STR_INIT("file_data"), PART_FILE, 0},
};

/* The members that are read. */
/* clang-format off */
#define MEMBER_TABLE(row) \
	row(TYPE, "type") row(TEXT, "text") row(VALUE, "value") row(THINKING, "thinking") \
	row(REFUSAL, "refusal") row(NAME, "name") row(INPUT, "input") \
	row(CONTENT, "content") row(SIGNATURE, "signature") \
	row(THOUGHT_SIGNATURE, "thoughtSignature")
/* clang-format on */

enum { MEMBER_TABLE(JSON_NAME_INDEX) };

static const struct str member_list[] = {MEMBER_TABLE(JSON_NAME_TEXT)};

/* The members that are texts, in the order in which part_next_text gives them. */
static const struct part_member {
	unsigned member;
	enum text_kind kind;
	uint8_t uses;   /* enum part_use */
	uint8_t traits; /* traits that the part must have; 0: none */
	bool is_any;    /* may be any value but null; otherwise a string */
} texts[] = {
    {TEXT, TEXT_CONTENT, PART_COUNTED | PART_SHOWN | PART_MATCHED, 0, false},
    {THINKING, TEXT_THINKING, PART_COUNTED, 0, false},
    {REFUSAL, TEXT_CONTENT, PART_COUNTED, 0, false},
    {NAME, TEXT_NAME, PART_COUNTED, IS_CALL, false},
    {INPUT, TEXT_ARGUMENTS, PART_COUNTED, IS_CALL, true},
    {CONTENT, TEXT_CONTENT, PART_COUNTED, 0, false},
};

enum {
	TYPES = ARRAY_COUNT(types),
	UNTYPED = ARRAY_COUNT(untyped),
	TEXTS = ARRAY_COUNT(texts),
};

/* Prepared by the first call of part_read, read-only afterwards. */
static struct json_names member_names;

/* The kind of a part that holds bytes, by its media type. */
static enum part_kind
kind_of_data(struct json_value data)
{
	struct json_value type = json_find(data, STR("mimeType"));

	if (type.type == JSON_ABSENT)
		type = json_find(data, STR("mime_type"));
	if (type.type != JSON_STRING)
		return PART_FILE;
	if (str_has_prefix(json_inner(type), STR("image/")))
		return PART_IMAGE;
	return str_has_prefix(json_inner(type), STR("audio/")) ? PART_AUDIO : PART_FILE;
}

/* The kind of a part without a type. Sets *inner to the member that gives it. */
static enum part_kind
kind_of_untyped(struct json_value object, struct json_value *inner)
{
	enum part_kind kind = PART_OTHER;

	for (struct json_walk walk = json_walk_of(object); json_walk_next(&walk);) {
		if (json_is(walk.name, STR("thought")) && walk.value.type == JSON_TRUE)
			return PART_REASONING;
		for (unsigned i = 0; i < UNTYPED && kind == PART_OTHER; i++) {
			if (!json_is(walk.name, untyped[i].name))
				continue;
			*inner = walk.value;
			kind = untyped[i].kind == PART_FILE ? kind_of_data(walk.value) :
							      untyped[i].kind;
		}
	}
	return kind;
}

/* Reads a part of Gemini, whose members are in one member of the part. */
static void
read_untyped(struct part *part)
{
	struct json_value inner = json_absent;

	part->kind = kind_of_untyped(part->value, &inner);
	if (part->kind == PART_CALL) {
		part->traits = IS_CALL;
		part->member[NAME] = json_find(inner, STR("name"));
		part->member[INPUT] = json_find(inner, STR("args"));
		if (part->member[INPUT].type == JSON_ABSENT)
			part->member[INPUT] = json_find(inner, STR("code"));
	} else if (part->kind == PART_RESULT) {
		part->member[CONTENT] = inner;
	}
}

void
part_read(struct json_value value, struct part *part)
{
	struct json_value type;

	if (member_names.list == NULL)
		JSON_NAMES_INIT(&member_names, member_list, PART_MEMBERS);
	part->kind = value.type == JSON_STRING ? PART_TEXT : PART_OTHER;
	part->traits = 0;
	part->value = value;
	json_pick(value, &member_names, part->member);
	type = part->member[TYPE];
	if (value.type == JSON_OBJECT && type.type == JSON_ABSENT)
		read_untyped(part);
	for (unsigned i = 0; i < TYPES && type.type == JSON_STRING; i++)
		if (json_is(type, types[i].name)) {
			part->kind = types[i].kind;
			part->traits = types[i].traits;
			break;
		}
	/* The other spellings of its text. */
	if ((part->traits & IS_PLAIN) != 0 && part->member[TEXT].type == JSON_OBJECT)
		part->member[VALUE] = json_find(part->member[TEXT], STR("value"));
	if ((part->traits & IS_PLAIN) != 0 && part->member[TEXT].type != JSON_STRING &&
	    part->member[VALUE].type == JSON_STRING)
		part->member[TEXT] = part->member[VALUE];
}

bool
part_is_blank(const struct part *part)
{
	if ((part->traits & IS_THOUGHT) != 0)
		return true;
	if (part->value.type == JSON_STRING || (part->traits & IS_PLAIN) != 0)
		return json_is_blank(part_plain_text(part));
	/* Any other value is its JSON. */
	return part->value.type == JSON_ARRAY ? !json_has_elements(part->value) :
						part->value.type <= JSON_NULL;
}

bool
part_is_media(const struct part *part)
{
	return (part->traits & IS_MEDIA) != 0;
}

bool
part_is_chat(const struct part *part)
{
	return (part->traits & IS_CHAT) != 0;
}

bool
part_is_thinking(const struct part *part)
{
	return part->kind == PART_THINKING || part->kind == PART_REDACTED ||
	    part->kind == PART_REASONING;
}

bool
part_is_signed(const struct part *part)
{
	return part->member[SIGNATURE].type > JSON_NULL ||
	    part->member[THOUGHT_SIGNATURE].type > JSON_NULL;
}

struct json_value
part_plain_text(const struct part *part)
{
	if (part->value.type == JSON_STRING)
		return part->value;
	if ((part->traits & IS_PLAIN) == 0 || part->member[TEXT].type != JSON_STRING)
		return json_absent;
	return part->member[TEXT];
}

/* The one text of a media part. Media count by their kind. A file may hold its text in plain, in
 * its source or in a content of its own: then that text counts. */
static struct part_text
media_text(const struct part *part)
{
	struct json_value source = json_find(part->value, STR("source"));
	struct json_value text = part->member[CONTENT];

	if (json_has_type(source, STR("text")))
		text = json_find(source, STR("data"));
	if (part->kind == PART_FILE && text.type == JSON_STRING)
		return (struct part_text){TEXT_CONTENT, text};
	return (struct part_text){part->kind == PART_IMAGE ? TEXT_IMAGE :
		part->kind == PART_AUDIO                   ? TEXT_AUDIO :
							     TEXT_FILE,
	    part->value};
}

bool
part_next_text(const struct part *part, enum part_use use, unsigned *at, struct part_text *text)
{
	if (part->value.type != JSON_OBJECT) {
		*text = (struct part_text){TEXT_CONTENT, part->value};
		return part->value.type == JSON_STRING && (*at)++ == 0;
	}
	if (use == PART_COUNTED && part_is_media(part)) {
		*text = media_text(part);
		return (*at)++ == 0;
	}
	while (*at < TEXTS) {
		const struct part_member *row = &texts[(*at)++];

		if ((row->uses & use) == 0 || (row->traits & part->traits) != row->traits)
			continue;
		*text = (struct part_text){row->kind, part->member[row->member]};
		if (row->is_any ? text->value.type > JSON_NULL : text->value.type == JSON_STRING)
			return true;
	}
	return false;
}

struct json_value
part_nested(const struct part *part)
{
	if (part_is_media(part) || (part->traits & IS_SERVERS) != 0 ||
	    part->member[CONTENT].type != JSON_ARRAY)
		return json_absent;
	return part->member[CONTENT];
}

struct json_value
part_strings(const struct part *part)
{
	struct json_value content = part->member[CONTENT];

	if (part->kind == PART_RESULT &&
	    (content.type == JSON_OBJECT || (part->traits & IS_SERVERS) != 0))
		return content;
	return json_absent;
}
