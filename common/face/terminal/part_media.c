#include "face/terminal/part_media.h"

#include "json/leaves.h"
#include "json/string.h"

void
part_media_read(struct part_media *media, struct json_value part, struct buf *scratch)
{
	static const struct str types[] = {
	    STR_INIT("media_type"), STR_INIT("mime_type"), STR_INIT("mimeType")};
	struct json_value longest = json_absent;
	struct str data = STR("data:");
	struct json_leaves leaves;
	enum json_leaf leaf;
	const char *comma;

	*media = (struct part_media){.type = STR(""), .data = STR("")};
	buf_reset(scratch);
	json_leaves_open(&leaves, json_span(part));
	while ((leaf = json_leaves_next(&leaves)) != JSON_LEAF_END) {
		if (leaf != JSON_LEAF_STRING)
			continue;
		if (longest.type == JSON_ABSENT || leaves.value.len > longest.len)
			longest = leaves.value;
		if (JSON_IS_ONE_OF(json_leaves_name(&leaves), types))
			media->type = json_inner(leaves.value);
	}
	if (longest.type == JSON_ABSENT)
		return;
	json_decode(longest, scratch);
	if (scratch->len == 0)
		return;
	media->data = buf_str(scratch);
	comma = str_has_prefix(media->data, data) ? str_find(media->data, STR(",")) : NULL;
	if (comma != NULL) {
		size_t at = (size_t)(comma - media->data.ptr);

		media->type = str_of(media->data.ptr + data.len, at - data.len);
		media->data = str_rest(media->data, at + 1);
	}
	media->is_address = str_find(media->data, STR("://")) != NULL;
}
