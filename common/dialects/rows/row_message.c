#include "dialects/rows/row_message.h"

#include "dialects/rows/row_growth.h"
#include "dialects/rows/row_part.h"
#include "json/string.h"
#include "json/write.h"

static void
close_joined(struct row_reader *reader, struct joined *joined)
{
	if (reader->joiner.grows)
		row_growth_name(reader, joined);
	joiner_close(&reader->joiner, joined);
}

void
row_message_close(struct row_reader *reader)
{
	if (reader->open != NULL)
		close_joined(reader, reader->open);
	reader->open = NULL;
	reader->has_text = reader->has_call = reader->is_named = reader->is_streamed = false;
}

void
row_message_record(struct row_reader *reader, struct row_place *place)
{
	if (reader->is_inside)
		return;
	row_message_close(reader);
	reader->record = NULL;
	if (place->plan->row->stays)
		return;
	reader->record =
	    row_history_add(&reader->history, row_place_find(place, &place->plan->record),
		member_find_null(&place->view, &place->plan->parent), reader->dialect->replaces);
	if (reader->record == NULL || place->plan->row->keeps == NULL)
		return;
	row_history_compact(&reader->history, reader->record,
	    row_place_find(place, &place->plan->keeps), row_place_find(place, &place->plan->asked));
}

static void
add_members(struct row_place *place, struct draft *draft, const struct row_plan_member *list)
{
	for (; list->name.len > 0; list++) {
		struct json_value value = member_find(&place->view, &list->at);

		if (str_eq(list->name, STR("usage")))
			draft_set_usage(draft, value);
		else
			draft_meta_value(draft, list->name, value);
	}
}

/* The usage that was said before its message is said once. */
static void
forget_usage(struct row_reader *reader)
{
	for (unsigned i = 0; reader->variables.names[i] != NULL; i++)
		if (strcmp(reader->variables.names[i], "usage") == 0)
			buf_reset(&reader->variable[i]);
}

/* Opens a message of the newest record. */
static struct joined *
open_message(struct row_reader *reader, struct row_place *place, enum role role)
{
	struct joined *joined = joiner_open(&reader->joiner, NULL,
	    reader->record != NULL ? &reader->record->records : NULL, place->line, role_name(role));
	struct draft *draft = joined->draft;

	draft_note(draft, PROVENANCE_RECORD, place->value);
	if (place->plan->row->repeated)
		draft->provenance = NULL;
	add_members(place, draft, place->table->carried);
	if (role == ROLE_ASSISTANT) {
		add_members(place, draft, place->table->answered);
		forget_usage(reader);
	}
	add_members(place, draft, place->plan->meta);
	return joined;
}

/* Opens a message of the assistant for an item of its own, unless one is open. */
static void
open_answer(struct row_reader *reader, struct row_place *place)
{
	if (reader->open != NULL)
		return;
	row_message_record(reader, place);
	reader->open = open_message(reader, place, ROLE_ASSISTANT);
}

/* Opens one for an item that says something, too, where the open one has said all it says. */
static void
open_saying(struct row_reader *reader, struct row_place *place)
{
	if (!reader->is_inside && reader->has_text && !reader->has_call)
		row_message_close(reader);
	open_answer(reader, place);
}

/* Keeps the element of a content with that number, which is no part, beside it. */
static void
keep_element(struct row_reader *reader, struct json_value element, size_t number)
{
	struct json_writer w;

	if (reader->reading->lossy || element.type == JSON_NULL)
		return;
	buf_reset(&reader->extra);
	json_begin(&w, &reader->extra, '{');
	json_member_integer(&w, STR("element"), (int64_t)number);
	json_member_value(&w, STR("content"), element);
	json_close(&w);
	draft_meta_extra(
	    reader->open->draft, str_from(reader->dialect->extra), buf_str(&reader->extra));
}

/* Adds the element of a content with that number to the open message. */
static void
add_element(struct row_reader *reader, struct row_place *place, const struct row_table *inside,
    struct json_value element, size_t number)
{
	struct draft *draft = reader->open->draft;

	if (element.type == JSON_STRING) {
		if (element.len > 2)
			draft_add_content(draft, element);
	} else if (element.type == JSON_OBJECT) {
		if (inside == NULL || !reader->read(reader, place, inside, element))
			draft_add_block(draft, element);
	} else {
		dialect_note_flaw(reader->reading, place->line, "a part of a content that is none");
		keep_element(reader, element, number);
	}
}

/* Adds the text of the content, in the words that the agent puts around it. */
static void
add_wrapped(struct row_reader *reader, struct row_place *place, struct json_value content)
{
	struct buf *text = &reader->text;

	buf_reset(text);
	buf_add_char(text, '"');
	buf_add_str(text, str_from(place->plan->row->prefix));
	buf_add_str(text, json_inner(content));
	buf_add_str(text, str_from(place->plan->row->suffix));
	buf_add_char(text, '"');
	reader->open->draft->origin = content;
	draft_add_content(reader->open->draft, json_written(text, 0));
	reader->open->draft->origin.ptr = NULL;
}

static void
add_piece(struct row_reader *reader, struct row_place *place, const struct row_plan_piece *piece)
{
	struct json_value content = row_place_find(place, &piece->at);
	struct json_walk walk = json_walk_of(content);
	size_t at = 0;

	if (content.type == JSON_STRING && place->plan->row->prefix != NULL)
		add_wrapped(reader, place, content);
	else if (content.type == JSON_ARRAY)
		while (json_walk_next(&walk))
			add_element(reader, place, piece->inside, walk.value, ++at);
	else if (content.type > JSON_NULL)
		add_element(reader, place, piece->inside, content, 1);
}

static void
add_content(struct row_reader *reader, struct row_place *place)
{
	bool was_inside = reader->is_inside;

	if (!was_inside)
		reader->message = place;
	reader->is_inside = true;
	for (const struct row_plan_piece *piece = place->plan->pieces; piece->at.choices > 0;
	     piece++)
		add_piece(reader, place, piece);
	reader->is_inside = was_inside;
}

/* Adds the members of the message that no row reads. */
static void
add_extra(struct row_reader *reader, struct row_place *place, struct draft *draft)
{
	if (row_part_extra(reader, place, &reader->extra))
		draft_meta_extra(draft, str_from(reader->dialect->extra), buf_str(&reader->extra));
}

static enum role
find_role(struct row_place *place)
{
	struct json_value name = row_place_find(place, &place->plan->role);

	for (enum role role = ROLE_SYSTEM; role <= ROLE_TOOL; role++)
		if (json_is(name, role_name(role)))
			return role;
	return ROLE_OTHER;
}

/* Whether the open message has that id. */
static bool
repeats(const struct row_reader *reader, struct json_value id)
{
	struct json_value own = draft_id(reader->open->draft);

	return reader->dialect->repeats && id.type == JSON_STRING &&
	    str_eq(json_span(id), json_span(own));
}

/* Whether the message with that id continues the open one. */
static bool
goes_on(const struct row_reader *reader, enum role role, struct json_value id)
{
	return role == ROLE_ASSISTANT && reader->open != NULL &&
	    (reader->is_streamed || repeats(reader, id) ||
		(reader->dialect->joins && (reader->has_call || !reader->has_text)));
}

/* Gives the message the id and the other members of its record. If several records are one message,
 * the first gives the id. */
static void
name_message(struct row_reader *reader, struct row_place *place)
{
	struct draft *draft = reader->open->draft;

	struct json_value id = row_place_find(place, &place->plan->id);

	/* Only a string can be named by a tombstone. */
	if (!reader->is_named && (!reader->joiner.grows || id.type == JSON_STRING))
		draft_meta_value(draft, STR("id"), id);
	reader->is_named = true;
	add_extra(reader, place, draft);
}

bool
row_message_make(struct row_reader *reader, struct row_place *place)
{
	enum role role = find_role(place);
	bool is_summary = place->plan->row->make == ROW_SUMMARY, is_injected = false;
	struct joined *open;

	if (is_summary && role == ROLE_OTHER)
		role = ROLE_USER;
	if (role == ROLE_OTHER || reader->is_inside)
		return false;
	if (!goes_on(reader, role, row_place_find(place, &place->plan->id))) {
		row_message_record(reader, place);
		reader->open = open_message(reader, place, role);
	}
	name_message(reader, place);
	add_content(reader, place);
	open = reader->open;
	if (is_summary) {
		draft_set_summary(open->draft);
	} else if (role == ROLE_USER && reader->dialect->injected != NULL) {
		is_injected = injected_content(reader->dialect->injected,
		    row_place_find(place, &place->plan->content), &reader->scratch);
		if (is_injected)
			draft_meta_string(open->draft, STR("origin"), STR("injected"));
	}
	if (reader->record != NULL)
		reader->record->is_turn |= role == ROLE_USER && !is_summary && !is_injected;
	reader->has_text = true;
	if (place->plan->row->also != NULL)
		place->plan->row->also(reader, place);
	reader->is_streamed = place->plan->row->streamed != NULL &&
	    conditions_hold(&place->plan->streamed, &place->view);
	if ((!reader->dialect->joins && !reader->dialect->repeats && !reader->is_streamed) ||
	    role != ROLE_ASSISTANT)
		row_message_close(reader);
	row_history_settle(&reader->history);
	return true;
}

bool
row_message_call(struct row_reader *reader, struct row_place *place)
{
	size_t oldest = reader->oldest, made = reader->waiting.len;

	open_answer(reader, place);
	if (!str_eq(reader->open->draft->role, role_name(ROLE_ASSISTANT))) {
		draft_add_block(reader->open->draft, place->value);
		return true;
	}
	row_part_call(reader, place, reader->open->draft);
	reader->has_call = true;
	if (place->plan->inside == NULL)
		return true;
	/* A result in the value of the call is of no older call. */
	reader->oldest = made;
	reader->read(reader, place, place->plan->inside, place->value);
	if (reader->oldest > made)
		reader->waiting.len = made;
	reader->oldest = oldest;
	return true;
}

void
row_message_break(struct row_reader *reader)
{
	struct row_place *message = reader->message;

	if (!reader->is_inside || !reader->has_call)
		return;
	close_joined(reader, reader->open);
	reader->open = open_message(reader, message, find_role(message));
	buf_reset(&reader->open->draft->usage);
	reader->has_call = false;
}

bool
row_message_result(struct row_reader *reader, struct row_place *place)
{
	struct joined *outer = reader->open, *joined;

	if (!reader->is_inside) {
		row_message_record(reader, place);
		outer = NULL;
	}
	joined = open_message(reader, place, ROLE_TOOL);
	row_part_result_id(reader, place, joined->draft);
	if (conditions_hold(&place->plan->error, &place->view) && place->plan->row->error != NULL)
		draft_set_error(joined->draft);
	else if (place->plan->row->success != NULL &&
	    conditions_hold(&place->plan->success, &place->view))
		draft_set_success(joined->draft);
	add_extra(reader, place, joined->draft);
	reader->open = joined;
	add_content(reader, place);
	if (place->plan->row->also != NULL)
		place->plan->row->also(reader, place);
	if (joined->draft->part_count == 0)
		buf_add_str(&joined->draft->content, STR("\"\""));
	close_joined(reader, joined);
	reader->open = outer;
	return true;
}

/* Adds the parts made of the place to the open message. */
static bool
add_of(struct row_reader *reader, struct row_place *place,
    bool (*add)(struct row_reader *reader, struct row_place *place, struct draft *draft))
{
	struct draft *draft = reader->open->draft;
	bool is_understood;

	draft->origin = place->value;
	is_understood = add(reader, place, draft);
	draft->origin.ptr = NULL;
	return is_understood;
}

bool
row_message_thinking(struct row_reader *reader, struct row_place *place)
{
	open_saying(reader, place);
	return add_of(reader, place, row_part_thinking);
}

bool
row_message_go_on(struct row_reader *reader, struct row_place *place)
{
	(void)place;
	reader->is_streamed = true;
	return true;
}

bool
row_message_part(struct row_reader *reader, struct row_place *place)
{
	open_answer(reader, place);
	return add_of(reader, place, row_part_other);
}

void
row_message_pass(
    struct row_reader *reader, const struct line *line, struct json_value element, size_t number)
{
	struct message message;
	struct record record;

	dialect_note_flaw(reader->reading, line, "element %zu of a list is not understood", number);
	buf_reset(&reader->text);
	buf_add_str(&reader->text, json_span(element));
	buf_add_char(&reader->text, '\n');
	buf_pad(&reader->text);
	record_respell(&record, line, buf_str(&reader->text), &message);
	record.read = RECORD_READ_NAMED;
	joiner_pass(&reader->joiner, NULL, NULL, &record);
}
