#include "policy/summarizer/invented.h"

#include <stdlib.h>

#include "base/byte.h"
#include "base/list.h"
#include "data/change.h"
#include "data/message/texts.h"
#include "json/string.h"
#include "policy/summarizer/names.h"

struct finder {
	struct invented *invented;
	struct map seen;
	struct buf text; /* of a message of the source */
	struct buf decoded;
};

static bool
add(void *context, struct str name)
{
	struct finder *finder = context;
	struct invented *invented = finder->invented;

	if (map_set(&finder->seen, hash_label(name), 1) == MAP_NONE) {
		LIST_ADD(invented->name, invented->count, invented->cap, name);
	}
	return true;
}

static void
add_text(void *context, enum text_kind kind, struct json_value value)
{
	struct finder *finder = context;

	if (kind > TEXT_ARGUMENTS)
		return;
	buf_add_str(&finder->text,
	    value.type == JSON_STRING ? json_text(value, &finder->decoded) : json_span(value));
	buf_add_char(&finder->text, '\n');
}

static bool
has_name(struct str text, struct str name)
{
	const char *start = text.ptr, *end = text.ptr + text.len, *p;

	while ((p = str_find(text, name)) != NULL) {
		text = str_of(p + name.len, (size_t)(end - p) - name.len);
		if ((p == start || !byte_is_word(p[-1])) &&
		    (text.len == 0 || !byte_is_word(*text.ptr)))
			return true;
	}
	return false;
}

/* Removes the names that the entry has. */
static void
look(struct finder *finder, const struct entry *entry)
{
	struct invented *invented = finder->invented;
	struct message message;
	uint32_t count = 0;

	if (invented->count == 0)
		return;
	buf_reset(&finder->text);
	entry_parse(entry, &message);
	message_texts(&message, add_text, finder);
	for (uint32_t i = 0; i < invented->count; i++)
		if (!has_name(buf_str(&finder->text), invented->name[i]))
			invented->name[count++] = invented->name[i];
	invented->count = count;
}

void
invented_find(struct invented *invented, const struct brief *request, struct str text)
{
	struct finder finder = {.invented = invented};

	*invented = (struct invented){.count = 0};
	names_of_text(text, add, &finder);
	if (request->has_earlier)
		look(&finder, &request->earlier);
	for (uint32_t i = 0; i < request->count; i++) {
		struct entry entry = change_base(request->session, request->entry[i]);

		look(&finder, &entry);
	}
	map_free(&finder.seen);
	buf_free(&finder.text);
	buf_free(&finder.decoded);
}

void
invented_free(struct invented *invented)
{
	free(invented->name);
	*invented = (struct invented){.count = 0};
}
