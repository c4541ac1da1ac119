#include "dialects/rows/row_part.h"

#include "json/write.h"

/* Whether a value says something: not null, "", [] or {}. */
static bool
is_something(struct json_value value)
{
	if (value.type == JSON_STRING)
		return value.len > 2;
	if (value.type == JSON_ARRAY || value.type == JSON_OBJECT)
		return json_has_elements(value);
	return value.type > JSON_NULL;
}

bool
row_part_extra(struct row_reader *reader, struct row_place *place, struct buf *json)
{
	const struct row_plan *plan = place->plan;
	struct json_value object = row_place_find(place, &plan->within);
	struct json_writer w;

	buf_reset(json);
	if (plan->known == NULL || reader->reading->lossy || object.type != JSON_OBJECT)
		return false;
	json_begin(&w, json, '{');
	for (struct json_walk walk = json_walk_of(object); json_walk_next(&walk);)
		if (json_name_index(plan->known, walk.name) < 0 && is_something(walk.value))
			json_put_member(&w, walk.name, walk.value);
	json_close(&w);
	buf_pad(json);
	return json->len > 2;
}

/* Puts the members that no row reads as one member. */
static void
put_extra(struct row_reader *reader, struct row_place *place, struct json_writer *w)
{
	if (row_part_extra(reader, place, &reader->extra))
		json_member_raw(w, str_from(reader->dialect->extra), buf_str(&reader->extra));
}

/* The text of the arguments: JSON, which the string that is put has inside. */
static void
put_arguments(struct row_reader *reader, struct row_place *place, struct json_writer *w)
{
	struct json_value arguments = row_place_find(place, &place->plan->arguments);
	struct buf *text = &reader->scratch;

	if (place->plan->row->argument != NULL && arguments.type > JSON_NULL) {
		struct json_writer inner;

		buf_reset(text);
		json_begin(&inner, text, '{');
		json_member_value(&inner, str_from(place->plan->row->argument), arguments);
		json_close(&inner);
		json_put_string(w, buf_str(text));
	} else if (arguments.type == JSON_STRING) {
		json_put_value(w, arguments);
	} else {
		json_put_json(w, arguments.type > JSON_NULL ? json_span(arguments) : STR("{}"));
	}
}

static bool
is_id(struct json_value id)
{
	return (id.type == JSON_STRING && id.len > 2) || id.type == JSON_NUMBER;
}

/* The id of a call; a call without one gets one here. It is valid until the next call gets one. */
static struct json_value
call_id(struct row_reader *reader, struct json_value id)
{
	size_t at = reader->waiting.len;

	if (is_id(id))
		return id;
	buf_add_fmt(&reader->waiting, "\"call_%u\"", ++reader->numbered);
	return json_whole(str_rest(buf_str(&reader->waiting), at));
}

void
row_part_call(struct row_reader *reader, struct row_place *place, struct draft *draft)
{
	struct json_value name = row_place_find(place, &place->plan->name);
	struct json_writer w;

	if (name.type != JSON_STRING)
		name.type = JSON_ABSENT;
	draft_open_call(draft, call_id(reader, row_place_find(place, &place->plan->id)), name);
	json_writer_init(&w, &draft->calls);
	put_arguments(reader, place, &w);
	draft_set_arguments(draft);
	put_extra(reader, place, &w);
	draft_note(draft, PROVENANCE_CALL, place->value);
	draft_note(draft, PROVENANCE_ARGUMENTS, row_place_find(place, &place->plan->arguments));
	draft_close_call(draft);
}

void
row_part_result_id(struct row_reader *reader, struct row_place *place, struct draft *draft)
{
	struct json_value id = row_place_find(place, &place->plan->id);

	if (!is_id(id) && reader->oldest < reader->waiting.len) {
		id = json_written(&reader->waiting, reader->oldest);
		reader->oldest += id.len;
	}
	buf_add_str(&draft->call_id, is_id(id) ? json_span(id) : STR("\"\""));
}

/* Begins a part of that type in reader->text; its text is the next value. */
static void
open_part(struct row_reader *reader, struct json_writer *w, struct str type, struct str member)
{
	buf_reset(&reader->text);
	json_begin(w, &reader->text, '{');
	json_member_string(w, STR("type"), type);
	json_name(w, member);
}

static void
close_part(
    struct row_reader *reader, struct row_place *place, struct json_writer *w, struct draft *draft)
{
	put_extra(reader, place, w);
	json_close(w);
	draft_add_block(draft, json_written_whole(&reader->text));
}

/* Joins a string, or the text that an object has. */
static void
join_text(struct buf *joined, struct json_value text)
{
	if (text.type == JSON_OBJECT)
		text = json_find(text, STR("text"));
	if (text.type != JSON_STRING || text.len == 2)
		return;
	buf_add_str(joined, joined->len > 0 ? STR("\\n\\n") : STR("\""));
	buf_add_str(joined, json_inner(text));
}

/* Joins the texts at name and at content, with an empty line between, as a JSON string. */
static void
join_texts(struct row_place *place, struct buf *joined)
{
	struct member_walk walk;
	struct json_value text;

	buf_reset(joined);
	join_text(joined, row_place_find(place, &place->plan->name));
	member_walk_open(&walk, &place->view, &place->plan->content);
	while (member_walk_next(&walk, &text))
		join_text(joined, text);
	if (joined->len > 0)
		buf_add_char(joined, '"');
}

bool
row_part_thinking(struct row_reader *reader, struct row_place *place, struct draft *draft)
{
	struct json_writer w;

	join_texts(place, &reader->scratch);
	if (reader->scratch.len > 0) {
		open_part(reader, &w, STR("thinking"), STR("thinking"));
		json_put_raw(&w, buf_str(&reader->scratch));
		json_member_value(
		    &w, STR("signature"), row_place_find(place, &place->plan->signature));
		close_part(reader, place, &w, draft);
	} else if (row_part_extra(reader, place, &reader->extra)) {
		draft_add_block(draft, place->value);
	} else {
		tally_add_record(reader->reading->skipped, place->value);
	}
	return true;
}

/* Whether a value that may be base64 is an address instead: '.' and ':' are no digits of base64. */
static bool
is_address(struct json_value data)
{
	enum { LOOKED_AT = 256 };
	struct str text = json_inner(data);

	for (size_t i = 0; i < text.len && i < LOOKED_AT; i++)
		if (text.ptr[i] == '.' || text.ptr[i] == ':')
			return true;
	return false;
}

static bool
add_image(struct row_reader *reader, struct row_place *place, struct draft *draft)
{
	struct json_value media = row_place_find(place, &place->plan->media);
	struct json_value data = row_place_find(place, &place->plan->content);
	bool is_url = media.type != JSON_STRING;
	struct json_writer w;

	if (data.type != JSON_STRING)
		return false;
	is_url |= is_address(data);
	open_part(reader, &w, is_url ? STR("image_url") : STR("image"),
	    is_url ? STR("image_url") : STR("source"));
	json_open(&w, '{');
	if (is_url) {
		json_member_value(&w, STR("url"), data);
	} else {
		json_member_string(&w, STR("type"), STR("base64"));
		json_member_value(&w, STR("media_type"), media);
		json_member_value(&w, STR("data"), data);
	}
	json_close(&w);
	close_part(reader, place, &w, draft);
	return true;
}

static bool
add_text(struct row_reader *reader, struct row_place *place, struct draft *draft)
{
	struct json_value text = row_place_find(place, &place->plan->content);
	struct json_writer w;

	if (text.type <= JSON_NULL)
		return false;
	if (text.type == JSON_STRING && !row_part_extra(reader, place, &reader->extra)) {
		if (reader->is_streamed)
			draft_extend_text(draft, text);
		else
			draft_add_text(draft, text);
		return true;
	}
	open_part(reader, &w, STR("text"), STR("text"));
	if (text.type == JSON_STRING)
		json_put_value(&w, text);
	else
		json_put_string(&w, json_span(text));
	close_part(reader, place, &w, draft);
	return true;
}

bool
row_part_other(struct row_reader *reader, struct row_place *place, struct draft *draft)
{
	switch (place->plan->row->make) {
	case ROW_TEXT:
		return add_text(reader, place, draft);
	case ROW_IMAGE:
		return add_image(reader, place, draft);
	default:
		draft_add_block(draft, place->value);
		return true;
	}
}
