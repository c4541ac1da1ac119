#include "data/texts.h"

#include "json/scan.h"
#include "json/text.h"

enum part_name { PART_TYPE, PART_TEXT, PART_THINKING, PART_REFUSAL, PART_CONTENT, PART_NAME,
	PART_INPUT, PART_COUNT };

static const struct str part_list[PART_COUNT] = {
    [PART_TYPE] = STR_INIT("type"),
    [PART_TEXT] = STR_INIT("text"),
    [PART_THINKING] = STR_INIT("thinking"),
    [PART_REFUSAL] = STR_INIT("refusal"),
    [PART_CONTENT] = STR_INIT("content"),
    [PART_NAME] = STR_INIT("name"),
    [PART_INPUT] = STR_INIT("input"),
};

/* Parts that carry media, by the type names of OpenAI, Anthropic and Gemini clients. */
static const struct {
	struct str type;
	enum text_kind kind;
} media[] = {
    {STR_INIT("image"), TEXT_IMAGE},
    {STR_INIT("image_url"), TEXT_IMAGE},
    {STR_INIT("input_image"), TEXT_IMAGE},
    {STR_INIT("input_audio"), TEXT_AUDIO},
    {STR_INIT("audio"), TEXT_AUDIO},
    {STR_INIT("file"), TEXT_FILE},
    {STR_INIT("input_file"), TEXT_FILE},
    {STR_INIT("document"), TEXT_FILE},
};

struct finder {
	text_found *found;
	void *context;
};

/* Prepared by the first who asks, read-only afterwards. */
static struct json_names part_names;

static void
find(const struct finder *finder, enum text_kind kind, struct json_value value)
{
	if (value.type != JSON_ABSENT && value.type != JSON_NULL)
		finder->found(finder->context, kind, value);
}

bool
text_is_media(struct json_value type, enum text_kind *kind)
{
	for (size_t i = 0; i < sizeof media / sizeof media[0]; i++)
		if (json_is(type, media[i].type)) {
			*kind = media[i].kind;
			return true;
		}
	return false;
}

static void
find_string(const struct finder *finder, enum text_kind kind, struct json_value value)
{
	if (value.type == JSON_STRING)
		find(finder, kind, value);
}

/* Media by their kind; but a file that holds its text in plain (a document whose source says so, or
 * one with a content of its own) by that. */
static void
find_media(const struct finder *finder, enum text_kind kind, struct json_value part)
{
	struct json_value source = json_find(part, STR("source"));
	struct json_value text = json_find(part, STR("content"));

	if (json_is(json_find(source, STR("type")), STR("text")))
		text = json_find(source, STR("data"));
	if (kind == TEXT_FILE && text.type == JSON_STRING)
		find(finder, TEXT_CONTENT, text);
	else
		find(finder, kind, part);
}

/* A part; returns what it nests, the content of a tool_result, as the caller's next array. */
static struct json_value
find_part(const struct finder *finder, struct json_value part)
{
	struct json_value member[PART_COUNT];
	enum text_kind kind;

	if (part.type != JSON_OBJECT) {
		find_string(finder, TEXT_CONTENT, part);
		return (struct json_value){NULL, 0, JSON_ABSENT, 0};
	}
	json_pick(part, &part_names, member);
	if (text_is_media(member[PART_TYPE], &kind)) {
		find_media(finder, kind, part);
		return (struct json_value){NULL, 0, JSON_ABSENT, 0};
	}
	find_string(finder, TEXT_CONTENT, member[PART_TEXT]);
	find_string(finder, TEXT_THINKING, member[PART_THINKING]);
	find_string(finder, TEXT_CONTENT, member[PART_REFUSAL]);
	if (json_is(member[PART_TYPE], STR("tool_use"))) {
		find_string(finder, TEXT_NAME, member[PART_NAME]);
		find(finder, TEXT_ARGUMENTS, member[PART_INPUT]);
	}
	find_string(finder, TEXT_CONTENT, member[PART_CONTENT]);
	return member[PART_CONTENT];
}

static void
find_content(const struct finder *finder, struct json_value content)
{
	struct json_walk parts, nested;

	find_string(finder, TEXT_CONTENT, content);
	json_walk_open(&parts, content);
	while (content.type == JSON_ARRAY && json_walk_next(&parts)) {
		struct json_value inner = find_part(finder, parts.value);

		json_walk_open(&nested, inner);
		while (inner.type == JSON_ARRAY && json_walk_next(&nested))
			find_part(finder, nested.value);
	}
}

void
message_texts(const struct message *message, text_found *found, void *context)
{
	struct finder finder = {.found = found, .context = context};
	struct call_walk calls;
	struct tool_call call;

	if (part_names.list == NULL)
		json_names_init(&part_names, part_list, PART_COUNT);
	find_content(&finder, message->content);
	call_walk_open(&calls, message);
	while (call_walk_next(&calls, &call)) {
		find_string(&finder, TEXT_NAME, call.name);
		find(&finder, TEXT_ARGUMENTS, call.arguments);
	}
}
