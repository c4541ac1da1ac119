#include "dialects/anthropic/anthropic_part.h"

#include "dialects/anthropic/anthropic_rules.h"
#include "dialects/parts/media.h"
#include "dialects/parts/text_part.h"
#include "json/string.h"

/* Appends the part as an image or document, if it is one and the role may send one. */
static bool
write_medium(struct json_value value, enum role role, struct buf *buf)
{
	size_t start = buf->len;

	if (!media_to_anthropic(value, buf))
		return false;
	if (anthropic_rules_refuse_block(json_written(buf, start), role) == 0)
		return true;
	buf->len = start;
	return false;
}

static void
write_refused(struct json_value value, enum role role, struct buf *buf, struct tally *dropped)
{
	struct json_value text;
	struct part part;

	part_read(value, &part);
	if (part_is_thinking(&part)) {
		text_part_drop(&part, dropped);
		return;
	}
	text = text_part_find(&part);
	if (write_medium(value, role, buf))
		return;
	if (text.type != JSON_STRING || part_is_media(&part))
		text_part_add_name(buf, &part, dropped);
	else if (!json_is_blank(text))
		text_part_add(buf, text);
}

void
anthropic_part_write(
    struct json_value value, enum role role, struct buf *buf, struct tally *dropped)
{
	uint64_t refused = anthropic_rules_refuse_block(value, role);
	struct json_value text = text_part_only(value, NULL);

	/* A plain text is written as it would be after reading it again. */
	if (refused == 0 && text.type == JSON_STRING)
		text_part_add(buf, text);
	else if (refused == 0)
		buf_add_str(buf, json_span(value));
	else if (refused == refusals_bit(VIOLATION_UNKNOWN_MEMBER))
		anthropic_rules_write_block(value, buf);
	else
		write_refused(value, role, buf, dropped);
}
