#include "dialects/anthropic/cache_marks.h"

#include "json/edit.h"
#include "json/members.h"
#include "json/string.h"
#include "json/write.h"

enum { MARKS_MAX = 4 };

static const struct str mark_name = STR_INIT("cache_control");
static const struct str mark_value = STR_INIT("{\"type\":\"ephemeral\"}");

static bool
is_marked(struct json_value block)
{
	enum json_type type = json_find(block, mark_name).type;

	return type != JSON_ABSENT && type != JSON_NULL;
}

/* The marks of the blocks of a content, and of the contents of its results. */
static unsigned
count_marks(struct json_value content)
{
	unsigned count = 0;

	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk);) {
		struct json_value within = json_find(walk.value, STR("content"));

		count += is_marked(walk.value);
		for (struct json_walk inner = json_walk_list(within); json_walk_next(&inner);)
			count += is_marked(inner.value);
	}
	return count;
}

static unsigned
count_all(struct json_value body)
{
	struct json_value messages = json_find(body, STR("messages"));
	unsigned count = is_marked(body) + count_marks(json_find(body, STR("system"))) +
	    count_marks(json_find(body, STR("tools")));

	for (struct json_walk walk = json_walk_list(messages); json_walk_next(&walk);)
		count += count_marks(json_find(walk.value, STR("content")));
	return count;
}

/* Whether the API takes a mark there: on a text that is the whole content, or on a block. */
static bool
may_be_marked(struct json_value value)
{
	struct json_value type = json_find(value, STR("type"));

	if (value.type == JSON_STRING)
		return !json_is_blank(value);
	if (value.type != JSON_OBJECT || json_is(type, STR("thinking")) ||
	    json_is(type, STR("redacted_thinking")))
		return false;
	return !json_is(type, STR("text")) || !json_is_blank(json_find(value, STR("text")));
}

/* The last block among the first so many that takes a mark, or else fallback. */
static struct json_value
last_block(struct json_value content, uint64_t blocks, struct json_value fallback)
{
	struct json_walk walk = json_walk_list(content);

	if (content.type != JSON_ARRAY)
		return blocks > 0 && may_be_marked(content) ? content : fallback;
	for (uint64_t i = 0; i < blocks && json_walk_next(&walk); i++)
		if (may_be_marked(walk.value))
			fallback = walk.value;
	return fallback;
}

static struct json_value
last_of_messages(struct json_value messages, struct cache_marks_place place)
{
	struct json_value last = json_absent;
	struct json_walk walk = json_walk_list(messages);

	for (uint64_t i = 0; i <= place.messages && json_walk_next(&walk); i++)
		last = last_block(json_find(walk.value, STR("content")),
		    i < place.messages ? UINT64_MAX : place.blocks, last);
	return last;
}

/* Marks the value, if it exists and has no mark. Returns how many marks were put. */
static unsigned
mark(struct json_edit *edit, struct json_value value)
{
	if (value.type == JSON_STRING) {
		struct buf parts = BUF_INIT;
		struct json_writer w;

		json_begin(&w, &parts, '[');
		json_open(&w, '{');
		json_member_string(&w, STR("type"), STR("text"));
		json_member_value(&w, STR("text"), value);
		json_member_raw(&w, mark_name, mark_value);
		json_close(&w);
		json_close(&w);
		json_edit_replace(edit, json_span(value), json_edit_keep(edit, buf_str(&parts)));
		buf_free(&parts);
	} else if (value.type == JSON_OBJECT && !is_marked(value)) {
		json_edit_add(edit, value, mark_name, mark_value);
	} else {
		return 0;
	}
	return 1;
}

void
cache_marks_put(struct buf *body, struct cache_marks_place place)
{
	struct json_value value = json_value_at(body->ptr);
	unsigned count = count_all(value);
	struct json_value places[] = {last_of_messages(json_find(value, STR("messages")), place),
	    last_block(json_find(value, STR("system")), UINT64_MAX, json_absent),
	    last_block(json_find(value, STR("tools")), UINT64_MAX, json_absent)};
	struct buf marked = BUF_INIT;
	struct json_edit edit;

	json_edit_init(&edit, buf_str(body));
	for (unsigned i = 0; i < ARRAY_COUNT(places) && count < MARKS_MAX; i++)
		count += mark(&edit, places[i]);
	json_edit_end(&edit, &marked);
	buf_free(body);
	buf_pad(&marked);
	*body = marked;
}
