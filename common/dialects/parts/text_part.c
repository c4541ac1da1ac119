#include "dialects/parts/text_part.h"

#include "data/message/content.h"
#include "data/message/texts.h"
#include "json/string.h"
#include "policy/normalize/mend.h"

#define HEAD "{\"type\":\"text\",\"text\":"

void
text_part_add(struct buf *buf, struct json_value string)
{
	buf_add_str(buf, STR(HEAD));
	buf_add_str(buf, json_span(string));
	buf_add_char(buf, '}');
}

static struct json_value
name_of(const struct part *part)
{
	struct json_value name = json_find(part->value, STR("type"));
	struct json_walk walk = json_walk_members(part->value);

	if (name.type != JSON_STRING && json_walk_next(&walk))
		name = walk.name;
	return name;
}

void
text_part_drop(const struct part *part, struct tally *dropped)
{
	struct json_value name = name_of(part);

	if (name.type == JSON_STRING)
		tally_add(dropped, json_inner(name));
}

void
text_part_add_name(struct buf *buf, const struct part *part, struct tally *dropped)
{
	struct json_value name = name_of(part);

	if (name.type != JSON_STRING)
		return;
	text_part_drop(part, dropped);
	buf_add_str(buf, STR(HEAD "\"["));
	buf_add_str(buf, json_inner(name));
	buf_add_str(buf, STR("]\"}"));
}

void
text_part_drop_message(const struct message *message, uint64_t counted, struct tally *dropped)
{
	struct buf name = BUF_INIT;

	for (struct json_walk walk = json_walk_of(message->metadata); json_walk_next(&walk);) {
		if (!message_name_holds_content(walk.name) || !mend_holds_something(walk.value))
			continue;
		buf_set(&name, STR("metadata."));
		buf_add_str(&name, json_inner(walk.name));
		tally_add(dropped, buf_str(&name));
	}
	if (dropped->sum == counted)
		tally_add(dropped, STR("message"));
	buf_free(&name);
}

struct json_value
text_part_find(const struct part *part)
{
	static const struct str names[] = {
	    STR_INIT("text"), STR_INIT("value"), STR_INIT("refusal"), STR_INIT("content")};
	struct json_value text = part_plain_text(part);

	for (size_t i = 0; text.type != JSON_STRING && i < ARRAY_COUNT(names); i++) {
		struct json_value found = json_find(part->value, names[i]);

		if (found.type == JSON_STRING)
			text = found;
	}
	if (text.type != JSON_STRING)
		text.type = JSON_ABSENT;
	return text;
}

struct json_value
text_part_only(struct json_value part)
{
	struct json_value text = json_absent;
	unsigned members = 0;

	if (part.type != JSON_OBJECT || !json_has_type(part, STR("text")))
		return text;
	for (struct json_walk walk = json_walk_of(part); json_walk_next(&walk); members++)
		if (json_is(walk.name, STR("text")) && walk.value.type == JSON_STRING)
			text = walk.value;
	if (members != 2)
		text.type = JSON_ABSENT;
	return text;
}

struct json_value
text_part_join(const struct message *message, struct buf *buf)
{
	struct json_value content = message->content, other = message_other_text(message);
	bool is_empty =
	    content.type <= JSON_NULL || (content.type == JSON_STRING && content.len == 2);

	if (other.type == JSON_ABSENT || is_empty)
		return other.type == JSON_ABSENT ? content : other;
	buf_reset(buf);
	buf_add_char(buf, '[');
	if (content.type == JSON_ARRAY)
		buf_add(buf, content.ptr + 1, content.len - 2);
	else if (content.type == JSON_STRING)
		text_part_add(buf, content);
	else
		buf_add_str(buf, json_span(content));
	buf_add_char(buf, ',');
	text_part_add(buf, other);
	buf_add_char(buf, ']');
	return json_written(buf, 0);
}

struct str
text_part_string(struct str part)
{
	const size_t head = sizeof HEAD - 1;

	return str_of(part.ptr + head, part.len - head - 1);
}
