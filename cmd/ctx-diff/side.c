#include "side.h"

#include "dialects/likeness.h"
#include "dialects/request/chat.h"
#include "json/canon.h"
#include "json/string.h"

/*
 * The Responses API of OpenAI: a request whose input is a string or a list of items, and whose
 * system prompt is its instructions.
 *
 *     {"model":"…","instructions":"…","input":[{"role":"user","content":"…"},
 *      {"type":"function_call","call_id":"c1","name":"…","arguments":"…"},
 *      {"type":"function_call_output","call_id":"c1","output":"…"}]}
 */

/* Whether the value is such a request. */
static bool
item_is_request(struct json_value value)
{
	struct json_value input = json_find(value, STR("input"));
	const char *name;

	if (value.type != JSON_OBJECT || (input.type != JSON_STRING && input.type != JSON_ARRAY))
		return false;
	name = likeness_name(value);
	return name != NULL && strcmp(name, "responses") == 0;
}

static bool
has_suffix(struct json_value value, struct str suffix)
{
	return value.type == JSON_STRING && str_has_suffix(json_inner(value), suffix);
}

/* The call of a tool: its name, and its arguments under the name of the item's type. */
static bool
read_call(struct json_value item, struct message *message)
{
	struct tool_call call = {.value = item, .name = json_find(item, STR("name"))};

	call.arguments = json_find(item, STR("arguments"));
	if (call.arguments.type == JSON_ABSENT)
		call.arguments = json_find(item, STR("input"));
	if (!has_suffix(message->role_value, STR("_call")) || call.name.type != JSON_STRING ||
	    call.arguments.type == JSON_ABSENT)
		return false;
	message_set_call(message, &call);
	return true;
}

/* The texts of reasoning, or else their summary. */
static struct json_value
find_reasoning(struct json_value item)
{
	struct json_value content = json_find(item, STR("content"));

	return json_first(content).type != JSON_ABSENT ? content : json_find(item, STR("summary"));
}

/* Reads an item, or a message, as the message whose texts a model reads. role_value becomes the
 * role, or the type of an item that has none. An item of an unknown type is counted as its JSON.
 * The message points into the item, after which JSON_PADDING readable bytes follow. */
static void
item_read(struct json_value item, struct message *message)
{
	if (json_find(item, STR("role")).type == JSON_STRING) {
		message_reread(message, json_span(item));
		return;
	}
	*message = (struct message){
	    .kind = RECORD_MESSAGE, .value = item, .role_value = json_find(item, STR("type"))};
	if (read_call(item, message))
		return;
	if (json_is(message->role_value, STR("reasoning")))
		message->content = find_reasoning(item);
	else if (has_suffix(message->role_value, STR("_output")))
		message->content = json_find(item, STR("output"));
	if (message->content.type == JSON_ABSENT)
		message->content = item;
}

/* Keeps a record of the head. White space between its tokens reaches no model, and would count. */
static void
keep(struct side *side, const struct record *record)
{
	struct buf text = BUF_INIT;
	struct json_edit edit;
	struct json_walk tools;

	json_squeeze(record->message->value, &text);
	buf_pad(&text);
	json_edit_init(&edit, buf_str(&text));
	/* The cache's marks would count. */
	tools = json_walk_of(json_find(json_value_at(text.ptr), STR("tools")));
	while (json_walk_next(&tools))
		json_edit_remove_all(&edit, tools.value, STR("cache_control"));
	buf_reset(&side->text);
	json_edit_end(&edit, &side->text);
	buf_pad(&side->text);
	buf_free(&text);
}

static bool
is_choice_of_anthropic(struct json_value choice)
{
	static const struct str types[] = {
	    STR_INIT("auto"), STR_INIT("any"), STR_INIT("tool"), STR_INIT("none")};

	return JSON_IS_ONE_OF(json_find(choice, STR("type")), types);
}

/* Sets the parts before the messages. A body that is an array of messages has none. */
static void
set_head(struct side *side)
{
	static const struct str names[HEAD_COUNT] = {[HEAD_MODEL] = STR_INIT("model"),
	    [HEAD_TOOLS] = STR_INIT("tools"),
	    [HEAD_FORMAT] = STR_INIT("response_format"),
	    [HEAD_SYSTEM] = STR_INIT("system"),
	    [HEAD_CHOICE] = STR_INIT("tool_choice"),
	    [HEAD_THINKING] = STR_INIT("thinking")};
	struct json_value object = json_absent;

	if (side->text.len > 0)
		object = json_value_at(side->text.ptr);
	memcpy(side->head_name, names, sizeof names);
	if (!side->is_body) {
		side->head_name[HEAD_SYSTEM] = STR("system_prompt");
	} else if (item_is_request(object)) {
		side->head_name[HEAD_SYSTEM] = STR("instructions");
		side->head_name[HEAD_FORMAT] = STR("text");
	} else if (!json_has(object, names[HEAD_FORMAT])) {
		side->head_name[HEAD_FORMAT] = STR("output_config");
	}
	for (unsigned i = 0; i < HEAD_COUNT; i++) {
		side->head[i] = json_find(object, side->head_name[i]);
		if (side->head[i].type == JSON_NULL)
			side->head[i].type = JSON_ABSENT;
	}
	if (!is_choice_of_anthropic(side->head[HEAD_CHOICE]))
		side->head[HEAD_CHOICE].type = JSON_ABSENT;
}

/* Reads on to the end of the source, in which a body should be alone. */
static void
end_body(struct side *side)
{
	struct record record;

	do {
		while (source_next(side->source, &record))
			if (record.kind != RECORD_BLANK) {
				fault_set(side->fault, STATUS_DATA,
				    "%s:%zu: more than one request body, expected one or a log",
				    record.line.file, record.line.number);
				return;
			}
	} while (source_fill(side->source));
}

/* Begins with the messages of the body that is the record. */
static void
open_body(struct side *side, const struct record *record)
{
	struct json_value body, list;

	side->is_body = side->source->any_dialect = true;
	keep(side, record);
	list = body = json_value_at(side->text.ptr);
	side->list = "";
	if (item_is_request(body)) {
		side->list = "/input";
		list = json_find(body, STR("input"));
	} else if (body.type == JSON_OBJECT) {
		side->list = "/messages";
		list = json_find(body, STR("messages"));
	}
	if (list.type == JSON_STRING) {
		side->is_lone = true;
		buf_add_str(&side->lone, STR("[{\"role\":\"user\",\"content\":"));
		buf_add_str(&side->lone, json_span(list));
		buf_add_str(&side->lone, STR("}]"));
		list = json_written(&side->lone, 0);
	}
	side->messages = json_walk_of(list);
	end_body(side);
}

static bool
next_of_body(struct side *side)
{
	if (fault_is_set(side->fault) || !json_walk_next(&side->messages))
		return false;
	item_read(side->messages.value, &side->read);
	side->message = &side->read;
	side->number++;
	return true;
}

/* Sets the place of the message: the line of a record that is itself a message, or the place that
 * the reader gives. */
static void
set_place(struct side *side, const struct record *record)
{
	side->made_count += record->state != RECORD_GIVEN && record->kind == RECORD_MESSAGE;
	side->place = record->state == RECORD_GIVEN ? line_number_of(record->line.number) :
						      line_number_of_source(record->message);
	if (side->place == 0 && record->kind == RECORD_MESSAGE)
		side->place = line_number_of(side->made_count);
}

/* Takes a record of a log. Returns whether it is a message of the thread. */
static bool
take(struct side *side, const struct record *record)
{
	if (record->kind == RECORD_CONTEXT)
		keep(side, record);
	if (record->kind != RECORD_MESSAGE && !side->takes_all)
		return false;
	if (record->kind == RECORD_MESSAGE)
		walk_add(&side->walk, record->message, &side->verdict);
	if (side->verdict.outside && !side->takes_all)
		return false;
	side->message = record->message;
	side->line = record->line.number;
	side->number++;
	set_place(side, record);
	return true;
}

static bool
is_body(const struct side *side, const struct record *record)
{
	return !side->takes_all && record->kind == RECORD_FOREIGN &&
	    side->source->counts.records == 1 &&
	    (chat_is_collection(record->message->value) || item_is_request(record->message->value));
}

/* Takes a message that the reader made of a record; the record itself is taken at once. */
static void
collect(struct stage *stage, struct record *record)
{
	struct side *side = ((struct side_collector *)stage)->side;

	if (record->kind != RECORD_MESSAGE && record->kind != RECORD_CONTEXT)
		return;
	if (record->state == RECORD_GIVEN && record->message != NULL && !side->has_ended &&
	    queue_is_empty(&side->made))
		side->has_come = take(side, record);
	else
		queue_add(&side->made, record, FATE_FINAL);
}

void
side_init(struct side *side, struct run *run, struct source *source)
{
	bool forgets = run->options->forgotten == FORGOTTEN_HIDE;

	*side = (struct side){
	    .source = source, .made = QUEUE_OF(struct queue_item), .fault = &run->fault};
	transcript_init(&side->transcript, run, source);
	side->collector = (struct side_collector){
	    .stage = {.take = collect, .end = stage_pass_end}, .side = side};
	tombstone_init(&side->tombstone, false);
	beside_init(&side->beside, run, NULL);
	stage_link((struct stage *[]){&side->beside.stage, &side->transcript.stage,
		       forgets ? &side->tombstone.stage : &side->collector.stage,
		       forgets ? &side->collector.stage : NULL, NULL},
	    NULL, &run->fault);
	walk_init(&side->walk);
	run_set_walk(&side->walk, run->options);
}

void
side_free(struct side *side)
{
	beside_free(&side->beside);
	transcript_free(&side->transcript);
	tombstone_free(&side->tombstone);
	queue_free(&side->made);
	walk_free(&side->walk);
	buf_free(&side->text);
	buf_free(&side->lone);
}

/* Takes the next message of those that were made. */
static bool
next_made(struct side *side)
{
	while (side->next < side->made.end) {
		struct record *record = queue_record(&side->made, side->next++);

		message_reread(&side->read, record->line.text);
		record->message = &side->read;
		if (take(side, record))
			return true;
	}
	queue_free(&side->made);
	return false;
}

/* Hands the reader the next record, or the end. Returns false when it has ended. */
static bool
read_on(struct side *side)
{
	struct record record;

	while (!source_next(side->source, &record)) {
		if (source_fill(side->source))
			continue;
		if (!side->has_ended) {
			side->has_ended = true;
			stage_end(&side->beside.stage);
		}
		return !queue_is_empty(&side->made);
	}
	if (is_body(side, &record))
		open_body(side, &record);
	else
		side->beside.stage.take(&side->beside.stage, &record);
	return true;
}

static bool
next_of_log(struct side *side)
{
	side->has_come = false;
	while (!next_made(side)) {
		if (!read_on(side))
			return false;
		if (side->is_body)
			return next_of_body(side);
		if (side->has_come)
			return true;
	}
	return true;
}

bool
side_next(struct side *side)
{
	bool found = false;

	if (!fault_is_set(side->fault))
		found = side->is_body ? next_of_body(side) : next_of_log(side);
	if (!found)
		set_head(side);
	return found;
}
