#include "data/message/message_names.h"

#include "json/scan.h"
#include "json/string.h"

static const struct str metadata_list[METADATA_COUNT] = {
#define METADATA_TEXT(index, name, type) STR_INIT(name),
    METADATA_TABLE(METADATA_TEXT)};

static const struct str role_list[] = {
    [ROLE_SYSTEM] = STR_INIT("system"),
    [ROLE_DEVELOPER] = STR_INIT("developer"),
    [ROLE_USER] = STR_INIT("user"),
    [ROLE_ASSISTANT] = STR_INIT("assistant"),
    [ROLE_TOOL] = STR_INIT("tool"),
};

static const struct role_speaker speakers[] = {
    {"human", ROLE_USER, .is_alias = true},
    {"gpt model ai bot", ROLE_ASSISTANT, .is_alias = true},
    {"function observation tool_result", ROLE_TOOL, .is_alias = true},
    {"user", ROLE_USER},
    {"assistant chatgpt bing bard", ROLE_ASSISTANT},
    {"system", ROLE_SYSTEM},
    {"developer", ROLE_DEVELOPER},
    {"function_call function-call tool_call", ROLE_ASSISTANT, .is_call = true},
    {"tool tool_response function_response function-response ipython", ROLE_TOOL},
};

static const struct str origin_list[] = {
    [ORIGIN_USER] = STR_INIT("user"),
    [ORIGIN_ASSISTANT] = STR_INIT("assistant"),
    [ORIGIN_TOOL_CALL] = STR_INIT("tool_call"),
    [ORIGIN_TOOL_RESULT] = STR_INIT("tool_result"),
    [ORIGIN_SUMMARY] = STR_INIT("summary"),
    [ORIGIN_SYSTEM] = STR_INIT("system"),
    [ORIGIN_ERROR] = STR_INIT("error"),
    [ORIGIN_INJECTED] = STR_INIT("injected"),
};

enum { ROLE_COUNT = ARRAY_COUNT(role_list), ORIGIN_COUNT = ARRAY_COUNT(origin_list) };

/* Filled once, read-only afterwards. Names of roles and of origins begin at 1: 0 means none. */
static struct json_names metadata_names, role_names, origin_names;

void
message_names_init(void)
{
	JSON_NAMES_INIT(&metadata_names, metadata_list, METADATA_COUNT);
	JSON_NAMES_INIT(&role_names, role_list + 1, ROLE_COUNT - 1);
	JSON_NAMES_INIT(&origin_names, origin_list + 1, ORIGIN_COUNT - 1);
}

struct str
role_name(enum role role)
{
	return role_list[role];
}

struct str
metadata_name_text(enum metadata_name name)
{
	return metadata_list[name];
}

struct str
origin_name(enum origin origin)
{
	return origin_list[origin];
}

enum role
role_of(struct json_value name)
{
	return (enum role)(json_name_index(&role_names, name) + 1);
}

enum origin
origin_of(struct json_value name)
{
	return (enum origin)(json_name_index(&origin_names, name) + 1);
}

const struct role_speaker *
role_speaker_find(struct json_value name)
{
	struct str word;

	for (size_t i = 0; i < ARRAY_COUNT(speakers); i++)
		for (const char *list = speakers[i].words; str_take_word(&list, ' ', &word);)
			if (json_is(name, word))
				return &speakers[i];
	return NULL;
}

enum metadata_name
metadata_name_of(struct json_value name)
{
	int index = json_name_index(&metadata_names, name);

	return index < 0 ? METADATA_COUNT : (enum metadata_name)index;
}

void
metadata_names_note(struct json_names *names, int name)
{
	_Static_assert((int)METADATA_COUNT <= (int)JSON_OBJECT_MAX, "all names have room");
	names->object = &metadata_names;
	names->object_name = name;
}

void
metadata_pick(struct json_value object, struct json_value meta[METADATA_COUNT])
{
	json_pick(object, &metadata_names, meta);
}
