#include "dialects/openai/openai_part.h"

#include "dialects/parts/media.h"
#include "dialects/openai/openai_rules.h"
#include "dialects/parts/text_part.h"

void
openai_part_write(struct json_value value, enum role role, struct buf *buf, struct tally *dropped)
{
	struct json_value text;
	struct part part;

	if (openai_rules_takes_part(value, role)) {
		buf_add_str(buf, json_span(value));
		return;
	}
	part_read(value, &part);
	if (part.kind == PART_THINKING || part.kind == PART_REDACTED ||
	    part.kind == PART_REASONING) {
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
