#include "dialects/instructor/instructor_store.h"

#include <stdlib.h>

#include "base/list.h"
#include "dialects/instructor/instructor_order.h"
#include "json/string.h"
#include "json/members.h"
#include "json/write.h"

#define IN_MESSAGES "\"messages\""
static const char in_messages[sizeof IN_MESSAGES + JSON_PADDING] = IN_MESSAGES;

struct instructor_section {
	struct buf name;     /* a JSON string */
	struct buf messages; /* "[" and the messages */
	unsigned rank;       /* among the sections that a store gets */
	bool is_written;
};

struct json_value
instructor_store_messages(void)
{
	return json_value_at(in_messages);
}

struct buf *
instructor_store_section(struct instructor_store *store, struct json_value name)
{
	struct hash key;
	uint64_t index;
	struct buf *messages;

	if (name.type != JSON_STRING)
		name = instructor_store_messages();
	key = json_hash(name, hash_seed(HASH_LABEL));
	index = map_get(&store->by_name, key);
	if (index == MAP_NONE) {
		LIST_ROOM(store->section, store->count, store->cap);
		index = store->count++;
		map_set(&store->by_name, key, index);
		store->section[index] = (struct instructor_section){
		    .name = BUF_INIT, .rank = instructor_order_rank(name)};
		buf_add_str(&store->section[index].name, json_span(name));
		buf_add_char(&store->section[index].messages, '[');
	}
	messages = &store->section[index].messages;
	if (messages->len > 1)
		buf_add_char(messages, ',');
	return messages;
}

/* The list of messages of the section of that name that is not written yet; "" when there is
 * none. */
static struct str
take_list(struct instructor_store *store, struct json_value name)
{
	struct hash key;
	uint64_t index;
	struct instructor_section *section;

	if (name.type != JSON_STRING)
		return STR("");
	key = json_hash(name, hash_seed(HASH_LABEL));
	index = map_get(&store->by_name, key);
	section = index != MAP_NONE ? &store->section[index] : NULL;
	if (section == NULL || section->is_written)
		return STR("");
	section->is_written = true;
	buf_add_char(&section->messages, ']');
	return buf_str(&section->messages);
}

/* Appends the sections that are not written yet. */
static void
write_sections(struct instructor_store *store, struct json_writer *w)
{
	for (unsigned rank = 0; rank < INSTRUCTOR_RANKS; rank++)
		for (uint32_t i = 0; i < store->count; i++)
			if (!store->section[i].is_written && store->section[i].rank == rank) {
				store->section[i].is_written = true;
				buf_add_char(&store->section[i].messages, ']');
				json_open(w, '{');
				json_member_raw(w, STR("name"), buf_str(&store->section[i].name));
				json_member_raw(
				    w, STR("messages"), buf_str(&store->section[i].messages));
				json_close(w);
			}
}

/* Puts the lists of messages into the sections of the store, and appends other sections. */
static void
fill_sections(struct instructor_store *store, struct json_edit *edit, struct json_value value)
{
	struct json_value list = json_find(value, STR("sections")), messages;
	struct buf others = BUF_INIT;
	struct json_writer w;

	json_writer_init(&w, &others);
	if (list.type != JSON_ARRAY)
		json_open(&w, '[');
	for (struct json_walk walk = json_walk_list(list); json_walk_next(&walk);) {
		struct str text;

		w.comma = true; /* before other sections */
		messages = json_find(walk.value, STR("messages"));
		if (walk.value.type != JSON_OBJECT || messages.type == JSON_OBJECT ||
		    (messages.type != JSON_ARRAY && messages.type > JSON_NULL) ||
		    json_has_elements(messages))
			continue;
		text = take_list(store, json_find(walk.value, STR("name")));
		if (text.len > 0 && messages.type == JSON_ABSENT)
			json_edit_add(edit, walk.value, STR("messages"), text);
		else if (text.len > 0)
			json_edit_replace(edit, json_span(messages), text);
	}
	write_sections(store, &w);
	if (list.type != JSON_ARRAY)
		json_close(&w);
	if (list.type == JSON_ARRAY)
		json_edit_replace(edit, str_of(list.ptr + list.len - 1, 0),
		    json_edit_keep(edit, buf_str(&others)));
	else if (list.type == JSON_ABSENT && others.len > 2)
		json_edit_add(edit, value, STR("sections"), buf_str(&others));
	else if (others.len > 2)
		json_edit_replace(edit, json_span(list), json_edit_keep(edit, buf_str(&others)));
	buf_free(&others);
}

/* A store that was a list of messages is one again, unless there are other sections. */
static void
fill_list(struct instructor_store *store, struct json_edit *edit, struct json_value value)
{
	struct buf text = BUF_INIT;
	struct json_writer w;

	if (store->count == 0)
		return;
	if (store->count == 1 && str_eq(buf_str(&store->section[0].name), STR(IN_MESSAGES))) {
		json_edit_replace(
		    edit, json_span(value), take_list(store, instructor_store_messages()));
		return;
	}
	json_begin(&w, &text, '{');
	json_member_open(&w, STR("sections"), '[');
	write_sections(store, &w);
	json_close(&w);
	json_member_raw(&w, STR("parameters"), STR("[]"));
	json_close(&w);
	json_edit_replace(edit, json_span(value), json_edit_keep(edit, buf_str(&text)));
	buf_free(&text);
}

void
instructor_store_fill(
    struct instructor_store *store, struct json_edit *edit, struct json_value value)
{
	if (value.type == JSON_ARRAY)
		fill_list(store, edit, value);
	else
		fill_sections(store, edit, value);
}

void
instructor_store_clear(struct instructor_store *store)
{
	for (uint32_t i = 0; i < store->count; i++) {
		buf_free(&store->section[i].name);
		buf_free(&store->section[i].messages);
	}
	store->count = 0;
	map_free(&store->by_name);
}

void
instructor_store_free(struct instructor_store *store)
{
	instructor_store_clear(store);
	free(store->section);
}
