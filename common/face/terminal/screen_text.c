#include "face/terminal/screen_text.h"

#include "base/number.h"
#include "face/terminal/part_media.h"
#include "data/message/texts.h"
#include "json/nested.h"
#include "json/string.h"
#include "json/write.h"

void
screen_text(struct screen *screen, struct json_value value, enum cells_paint paint)
{
	struct arena arena = ARENA_INIT;
	struct json_nested nested;

	json_nested_read(&nested, value, &arena);
	if (json_has_elements(nested.value))
		screen_json(screen, nested.value, STR(""));
	else if (nested.text.len > 0)
		screen_lines(screen, nested.text, STR(""), paint);
	arena_free(&arena);
}

void
screen_text_arguments(struct screen *screen, struct json_value value)
{
	struct arena arena = ARENA_INIT;
	struct json_nested nested = {.value = value};

	if (value.type == JSON_STRING)
		json_nested_read(&nested, value, &arena);
	if (nested.value.type == JSON_OBJECT)
		screen_members(screen, nested.value, STR(""));
	else if (value.type == JSON_STRING)
		screen_lines(screen, nested.text, STR(""), PAINT_NONE);
	else
		screen_json(screen, value, STR(""));
	arena_free(&arena);
}

void
screen_text_media(struct screen *screen, enum text_kind kind, struct json_value part)
{
	struct buf text = BUF_INIT, scratch = BUF_INIT;
	struct part_media media;

	part_media_read(&media, part, &scratch);
	buf_add_str(&text, text_stand_in(kind));
	buf_add_fmt(&text, " %.*s ", STR_ARG(media.type));
	if (media.is_address)
		buf_add_str(&text, media.data);
	else
		number_write_size(&text, media.data.len / 4 * 3);
	screen_lines(screen, buf_str(&text), STR(""), PAINT_BLUE);
	buf_free(&text);
	buf_free(&scratch);
}

void
screen_text_members(struct screen *screen, const struct message *message)
{
	static const struct str texts[] = {STR_INIT("role"), STR_INIT("content"),
	    STR_INIT("tool_calls"), STR_INIT("reasoning_content"), STR_INIT("refusal")};
	struct buf object = BUF_INIT;
	struct json_writer w;

	json_begin(&w, &object, '{');
	for (struct json_walk walk = json_walk_members(message->value); json_walk_next(&walk);)
		if (!JSON_IS_ONE_OF(walk.name, texts) && walk.value.ptr != message->metadata.ptr)
			json_put_member(&w, walk.name, walk.value);
	for (struct json_walk walk = json_walk_members(message->metadata); json_walk_next(&walk);)
		json_put_member(&w, walk.name, walk.value);
	json_close(&w);
	buf_pad(&object);
	screen_members(screen, json_value_at(object.ptr), STR(""));
	buf_free(&object);
}
