#include "json/nested.h"

#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

void
json_nested_scan(struct json_nested *nested, struct json_value string,
    const struct json_names *names, struct json_scan *scan, struct arena *arena)
{
	char *text = arena_padded(arena, string.len);

	nested->text = str_of(text, json_decode_to(string, text));
	memset(text + nested->text.len, 0, JSON_PADDING);
	nested->value = json_absent;
	if (json_scan(nested->text, names, scan))
		nested->value = scan->value;
}

void
json_nested_read(struct json_nested *nested, struct json_value string, struct arena *arena)
{
	struct json_scan scan;

	json_nested_scan(nested, string, NULL, &scan, arena);
}

void
json_unfold(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\n' || text[i] == '\r')
			text[i] = ' ';
}

struct json_value
json_nested_line(struct json_value string, struct arena *arena)
{
	char *text = arena_padded(arena, string.len);
	size_t len = json_decode_to(string, text);
	struct json_scan scan;

	memset(text + len, 0, JSON_PADDING);
	json_unfold(text, len);
	if (!json_scan(str_of(text, len), NULL, &scan))
		scan.value.type = JSON_ABSENT;
	return scan.value;
}

void
json_nested_write(struct json_edit *edit, struct buf *buf)
{
	struct buf text = BUF_INIT;

	json_edit_write(edit, &text);
	json_write_string(buf, buf_str(&text));
	buf_free(&text);
}
