#include "dialects/instructor/instructor_context.h"

#include "data/stream_session.h"
#include "json/edit.h"
#include "json/string.h"
#include "json/write.h"

#define OURS STR("x_instructor")

enum { METADATA, PROMPT, FORMAT, PLACES };

/* The members of an AgentContext that have a place in a context record, and their names there. */
static const struct {
	struct str theirs;
	struct str canonical;
} places[PLACES] = {
    [METADATA] = {STR_INIT("metadata"), STR_INIT("metadata")},
    [PROMPT] = {STR_INIT("systemPrompt"), STR_INIT("system_prompt")},
    [FORMAT] = {STR_INIT("responseFormat"), STR_INIT("response_format")},
};

/* The AgentContext of nothing, with the padding that readers of JSON need. */
#define NOTHING \
	"{\"metadata\":[],\"systemPrompt\":\"\",\"responseFormat\":[]," \
	"\"messageStore\":{\"sections\":[],\"parameters\":[]}}"
static const char nothing[sizeof NOTHING + JSON_PADDING] = NOTHING;

#define IN_SECTIONS "\"sections\""
static const char in_sections[sizeof IN_SECTIONS + JSON_PADDING] = IN_SECTIONS;

static struct json_value
find_store(struct json_value value)
{
	return json_find(value, STR("messageStore"));
}

bool
instructor_context_is(struct json_value value)
{
	struct json_value store = json_absent;

	if (value.type == JSON_OBJECT)
		store = find_store(value);
	return store.type == JSON_OBJECT || store.type == JSON_ARRAY;
}

/* Whether the value has its place in a context record. */
static bool
has_place(int place, struct json_value value)
{
	if (place == PROMPT)
		return value.type == JSON_STRING && value.len > 2;
	return value.type == JSON_OBJECT && json_has_elements(value) && !json_has(value, OURS);
}

static int
place_of(struct json_value name)
{
	for (int i = 0; i < PLACES; i++)
		if (json_is(name, places[i].theirs))
			return i;
	return PLACES;
}

/* Empties the lists of messages that are read. */
static void
empty_store(struct json_edit *edit, struct json_value value)
{
	struct instructor_context_sections sections;

	instructor_context_open(&sections, value);
	while (instructor_context_next(&sections))
		if (sections.messages.type == JSON_ARRAY && sections.is_sound &&
		    !sections.is_repeated)
			json_edit_replace(edit, json_span(sections.messages), STR("[]"));
	instructor_context_close(&sections);
}

/* Writes the metadata of the record, with x_instructor for all that has no other place. */
static void
put_metadata(struct json_writer *w, struct json_value metadata, struct str ours)
{
	struct json_edit edit;

	json_name(w, places[METADATA].canonical);
	if (metadata.type == JSON_ABSENT) {
		json_open(w, '{');
		json_member_raw(w, OURS, ours);
		json_close(w);
		return;
	}
	json_edit_init(&edit, json_span(metadata));
	json_edit_add(&edit, metadata, OURS, ours);
	json_put_raw(w, STR(""));
	json_edit_end(&edit, w->buf);
}

void
instructor_context_read(struct json_value value, struct buf *buf)
{
	struct json_value placed[PLACES] = {{.type = JSON_ABSENT}};
	struct buf ours = BUF_INIT;
	struct json_writer w;
	struct json_edit edit;

	json_edit_init(&edit, json_span(value));
	for (struct json_walk walk = json_walk_of(value); json_walk_next(&walk);) {
		int place = place_of(walk.name);

		if (place == PLACES || placed[place].type != JSON_ABSENT ||
		    !has_place(place, walk.value))
			continue;
		placed[place] = walk.value;
		json_edit_replace(&edit, json_span(walk.value), STR("null"));
	}
	empty_store(&edit, value);
	json_edit_end(&edit, &ours);
	json_begin(&w, buf, '{');
	json_member_string(&w, STR("type"), STR("context"));
	json_member_value(&w, places[PROMPT].canonical, placed[PROMPT]);
	json_member_value(&w, places[FORMAT].canonical, placed[FORMAT]);
	put_metadata(&w, placed[METADATA], buf_str(&ours));
	json_close(&w);
	buf_free(&ours);
}

void
instructor_context_read_header(struct json_value header, struct buf *buf)
{
	struct json_writer w;

	json_begin(&w, buf, '{');
	json_member_string(&w, STR("type"), STR("context"));
	json_member_open(&w, places[METADATA].canonical, '{');
	for (struct json_walk walk = json_walk_of(header); json_walk_next(&walk);) {
		if (json_is(walk.name, STR("type")) || json_is(walk.name, STR("version")))
			continue;
		if (json_is(walk.name, STR("id")))
			json_member_value(&w, STR("session_id"), walk.value);
		else
			json_put_member(&w, walk.name, walk.value);
	}
	json_member_raw(&w, OURS, STR("{}"));
	json_close(&w);
	json_close(&w);
}

void
instructor_context_open(struct instructor_context_sections *sections, struct json_value value)
{
	struct json_value store = find_store(value), list = store;

	*sections = (struct instructor_context_sections){
	    .is_list = store.type == JSON_ARRAY, .names = MAP_INIT};
	if (store.type == JSON_OBJECT)
		list = json_find(store, STR("sections"));
	sections->list = list;
	sections->walk = json_walk_of(list);
	for (struct json_walk walk = sections->walk; !sections->is_list && json_walk_next(&walk);)
		sections->many |= !json_is(json_find(walk.value, STR("name")), STR("messages"));
}

/* The one section of a store that is no object of sections. Returns false when there is none. */
static bool
next_only(struct instructor_context_sections *sections)
{
	struct json_value list = sections->list;

	sections->list.type = JSON_ABSENT;
	sections->name =
	    sections->is_list ? instructor_store_messages() : json_value_at(in_sections);
	sections->messages = list;
	sections->is_sound = sections->is_list;
	return list.type > JSON_NULL;
}

bool
instructor_context_next(struct instructor_context_sections *sections)
{
	struct json_value section;

	if (sections->is_list || sections->list.type != JSON_ARRAY)
		return next_only(sections);
	if (!json_walk_next(&sections->walk))
		return false;
	section = sections->walk.value;
	sections->name = json_find(section, STR("name"));
	sections->messages = json_find(section, STR("messages"));
	sections->is_sound = sections->name.type == JSON_STRING &&
	    (sections->messages.type <= JSON_NULL || sections->messages.type == JSON_ARRAY);
	sections->is_repeated = sections->is_sound &&
	    map_set(&sections->names, json_hash(sections->name, hash_seed(HASH_LABEL)), 0) !=
		MAP_NONE &&
	    json_has_elements(sections->messages);
	return true;
}

void
instructor_context_close(struct instructor_context_sections *sections)
{
	map_free(&sections->names);
}

static void
copy(struct buf *to, struct json_value value)
{
	buf_set(to, json_span(value));
	buf_pad(to);
}

void
instructor_context_set(struct instructor_context *context, struct json_value record)
{
	copy(&context->record, record);
	if (stream_session_is_store(record))
		copy(&context->origin, record);
}

static void
set_place(struct json_edit *edit, struct json_value base, int place, struct str json)
{
	struct json_value said = json_find(base, places[place].theirs);

	if (said.type != JSON_ABSENT)
		json_edit_replace(edit, json_span(said), json_edit_keep(edit, json));
	else
		json_edit_add(edit, base, places[place].theirs, json);
}

/* The metadata of the record without our own member. */
static void
set_metadata(struct json_edit *edit, struct json_value base, struct json_value metadata)
{
	struct buf text = BUF_INIT;
	struct json_edit inner;
	unsigned others = 0;

	json_edit_init(&inner, json_span(metadata));
	for (struct json_walk walk = json_walk_of(metadata); json_walk_next(&walk);) {
		if (json_is(walk.name, OURS))
			json_edit_remove(&inner, walk.name, walk.value);
		else
			others++;
	}
	json_edit_write(&inner, &text);
	if (others > 0)
		set_place(edit, base, METADATA, buf_str(&text));
	json_edit_free(&inner);
	buf_free(&text);
}

static struct json_value
value_in(const struct buf *buf)
{
	return buf->len > 0 ? json_value_at(buf->ptr) : json_absent;
}

void
instructor_context_write(struct instructor_context *context, struct buf *buf)
{
	struct json_value record = value_in(&context->record), origin = value_in(&context->origin);
	struct json_value base = json_find(json_find(origin, places[METADATA].canonical), OURS);
	struct json_value store, metadata = json_find(record, places[METADATA].canonical);
	struct json_edit edit;

	if (!instructor_context_is(base))
		base = json_value_at(nothing);
	store = find_store(base);
	json_edit_init(&edit, json_span(base));
	if (metadata.type == JSON_OBJECT)
		set_metadata(&edit, base, metadata);
	for (int place = PROMPT; place < PLACES; place++) {
		struct json_value value = json_find(record, places[place].canonical);

		if (has_place(place, value))
			set_place(&edit, base, place, json_span(value));
	}
	instructor_store_fill(&context->store, &edit, store);
	json_edit_end(&edit, buf);
	instructor_store_clear(&context->store);
	buf_reset(&context->record);
	buf_reset(&context->origin);
}

void
instructor_context_free(struct instructor_context *context)
{
	instructor_store_free(&context->store);
	buf_free(&context->record);
	buf_free(&context->origin);
}
