#include "dialects/openai/openai_part.h"

#include "dialects/parts/media.h"
#include "dialects/openai/openai_rules.h"
#include "dialects/parts/text_part.h"

static void
write_part(struct json_value value, enum role role, struct buf *buf, struct tally *dropped)
{
	struct json_value text;
	struct part part;

	if (openai_rules_takes_part(value, role)) {
		buf_add_str(buf, json_span(value));
		return;
	}
	part_read(value, &part);
	if (part_is_thinking(&part)) {
		text_part_drop(&part, dropped);
		return;
	}
	if (role == ROLE_USER && media_to_openai(value, buf))
		return;
	text = text_part_find(&part);
	if (text.type == JSON_STRING && !part_is_media(&part))
		text_part_add(buf, text);
	else
		text_part_add_name(buf, &part, dropped);
}

bool
openai_part_write_all(
    struct json_value content, enum role role, struct buf *buf, struct tally *dropped)
{
	size_t start = buf->len, end;

	for (struct json_walk walk = json_walk_of(content); json_walk_next(&walk);) {
		end = buf->len;
		buf_add_char(buf, end == start ? '[' : ',');
		write_part(walk.value, role, buf, dropped);
		if (buf->len == end + 1)
			buf->len = end;
	}
	if (buf->len == start)
		return false;
	buf_add_char(buf, ']');
	return true;
}
