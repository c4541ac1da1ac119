#include "dialects/injected.h"

#include "json/text.h"

static const struct str beginnings[] = {
    STR_INIT("<command-"),
    STR_INIT("<local-command-"),
    STR_INIT("<system-reminder>"),
    STR_INIT("<ide_"),
    STR_INIT("<bash-"),
    STR_INIT("<task-notification>"),
    STR_INIT("<user-prompt-submit-hook>"),
    STR_INIT("[Request interrupted by user"),
    STR_INIT("Caveat: The messages below"),
    STR_INIT("Stop hook feedback:"),
};

static bool
is_injected(struct json_value string, struct buf *scratch)
{
	struct str text;

	if (string.type != JSON_STRING)
		return false;
	text = str_trim(json_text(string, scratch));
	for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
		if (str_has_prefix(text, beginnings[i]))
			return true;
	return false;
}

bool
injected_content(struct json_value content, struct buf *scratch)
{
	struct json_walk walk;
	unsigned texts = 0;

	if (content.type == JSON_STRING)
		return is_injected(content, scratch);
	json_walk_open(&walk, content);
	while (json_walk_next(&walk)) {
		struct json_value type = json_find(walk.value, STR("type"));

		if (json_is(type, STR("tool_result")))
			continue;
		if (!is_injected(json_find(walk.value, STR("text")), scratch))
			return false;
		texts++;
	}
	return texts > 0;
}
