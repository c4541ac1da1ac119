#include "policy/inject/inject.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/message/metadata.h"
#include "data/message/texts.h"
#include "json/string.h"
#include "json/members.h"

/* Emits one record, with metadata that says its agent and, of what is no prompt, its origin. */
static void
emit_line(struct inject *inject, struct str line, bool is_prompt)
{
	const struct line nowhere = {.number = 0};
	struct metadata_member member[3];
	struct message message;
	struct json_edit edit;
	struct record record;
	unsigned count = 0;

	record_make(&record, &nowhere, line);
	message_parse(&message, record.line.text);
	json_edit_init(&edit, record.line.text);
	if (!is_prompt)
		member[count++] = (struct metadata_member){METADATA_ORIGIN, STR("\"injected\"")};
	if (inject->parent.len > 0)
		member[count++] = (struct metadata_member){
		    METADATA_PARENT_EXECUTION_ID, buf_str(&inject->parent)};
	if (inject->agent.len > 0)
		member[count++] =
		    (struct metadata_member){METADATA_AGENT_ID, buf_str(&inject->agent)};
	if (count > 0 && metadata_set(&edit, &message, member, count))
		record.edit = &edit;
	stage_emit(&inject->stage, &record);
	json_edit_free(&edit);
	inject->injected += !is_prompt;
}

static void
emit_prompt(struct inject *inject)
{
	struct buf text = BUF_INIT;

	/* The view's first message may say the prompt already. */
	if (inject->prompt.len == 0 ||
	    json_is(json_value_at(inject->prompt.ptr), buf_str(&inject->first_text)))
		return;
	message_write_system(&text, json_value_at(inject->prompt.ptr));
	buf_pad(&text);
	emit_line(inject, buf_str(&text), true);
	buf_free(&text);
}

static void
emit_place(struct inject *inject, enum injection_place place)
{
	if (inject->is_done[place])
		return;
	inject->is_done[place] = true;
	if (place == INJECTION_FIRST)
		emit_prompt(inject);
	for (size_t i = 0; i < inject->count; i++) {
		struct str lines = buf_str(&inject->item[i].lines);

		while (inject->item[i].place == place && lines.len > 0)
			emit_line(inject, str_take_whole_line(&lines), false);
	}
}

/* Emits the injections before the record of that number in the queue. */
static void
emit_due(struct inject *inject, size_t number)
{
	for (int place = 0; place < INJECTION_PLACES; place++)
		if (inject->at[place] <= number)
			emit_place(inject, (enum injection_place)place);
}

static void
forget_places(struct inject *inject)
{
	for (int place = 0; place < INJECTION_PLACES; place++)
		inject->at[place] = QUEUE_NONE;
}

/* Takes the prompt out of a context record; it replaces the earlier prompt. */
static void
take_prompt(struct inject *inject, struct record *record, const struct message *message)
{
	buf_reset(&inject->prompt);
	json_edit_reset(&inject->edit, record->line.text);
	for (struct json_walk walk = json_walk_of(message->value); json_walk_next(&walk);) {
		if (walk.value.type != JSON_STRING || walk.value.len <= 2 ||
		    !json_is(walk.name, STR("system_prompt")))
			continue;
		if (inject->prompt.len == 0)
			buf_add_str(&inject->prompt, json_span(walk.value));
		json_edit_remove(&inject->edit, walk.name, walk.value);
	}
	buf_pad(&inject->prompt);
	if (inject->edit.count == 0)
		return;
	record->edit = &inject->edit;
	record->state = RECORD_CHANGED;
}

/* Notes the agent of the first message of the view, and its text for the model. */
static void
note_first(struct inject *inject, const struct message *message)
{
	inject->has_begun = true;
	if (message->meta[METADATA_PARENT_EXECUTION_ID].type == JSON_STRING) {
		buf_add_str(
		    &inject->parent, json_span(message->meta[METADATA_PARENT_EXECUTION_ID]));
		if (message->meta[METADATA_AGENT_ID].type == JSON_STRING)
			buf_add_str(&inject->agent, json_span(message->meta[METADATA_AGENT_ID]));
	}
	if (inject->with_system && role_is_system(message->role))
		message_read_text(message, &inject->first_text);
}

/* Notes the places that a message has in the queue, as the record that comes next to it. */
static void
note_message(struct inject *inject, const struct message *message, bool is_request)
{
	size_t number = inject->queue.end;

	if (!inject->has_begun)
		note_first(inject, message);
	if (inject->at[INJECTION_FIRST] == QUEUE_NONE)
		inject->at[INJECTION_FIRST] = number;
	if (inject->at[INJECTION_START] == QUEUE_NONE && !role_is_system(message->role))
		inject->at[INJECTION_START] = number;
	if (is_request && (inject->holds_request || inject->holds_all))
		inject->at[INJECTION_BEFORE_LAST_USER] = number;
	inject->at[INJECTION_END] = QUEUE_NONE;
	if (!is_request || !inject->holds_all)
		return;
	inject->has_request = true;
	buf_reset(&inject->request);
	message_read_text(message, &inject->request);
}

/* Takes a message: unless all is held, a held record is emitted as soon as no injection can come
 * before it. */
static void
take_message(struct inject *inject, const struct message *message)
{
	bool is_request = message_is_request(message);

	if (!inject->holds_all &&
	    (is_request || inject->at[INJECTION_BEFORE_LAST_USER] == QUEUE_NONE)) {
		queue_emit(&inject->queue, &inject->stage);
		forget_places(inject);
	}
	note_message(inject, message, is_request);
	if (!inject->holds_all && inject->at[INJECTION_START] == inject->queue.first)
		emit_place(inject, INJECTION_START);
}

static void
take(struct stage *stage, struct record *record)
{
	struct inject *inject = (struct inject *)stage;
	struct message read;

	if (record->kind == RECORD_MESSAGE)
		take_message(inject, record_message(record, &read));
	else if (record->kind == RECORD_CONTEXT && inject->with_system)
		take_prompt(inject, record, record_message(record, &read));
	else if (record->kind == RECORD_BUDGET && inject->at[INJECTION_END] == QUEUE_NONE)
		inject->at[INJECTION_END] = inject->queue.end;
	if (inject->holds_all || !queue_is_empty(&inject->queue) ||
	    inject->at[INJECTION_BEFORE_LAST_USER] != QUEUE_NONE ||
	    inject->at[INJECTION_END] != QUEUE_NONE)
		queue_add(&inject->queue, record, FATE_FINAL);
	else
		stage_emit(stage, record);
}

static bool
run_commands(struct inject *inject)
{
	struct str request = buf_str(&inject->request);

	for (size_t i = 0; i < inject->count && inject->has_request; i++)
		if (inject->item[i].command != NULL &&
		    !injection_run(&inject->item[i], request, inject->timeout, inject->stage.fault))
			return false;
	return true;
}

static void
end(struct stage *stage)
{
	struct inject *inject = (struct inject *)stage;
	size_t behind = inject->at[INJECTION_END];

	if (!run_commands(inject))
		return;
	if (behind == QUEUE_NONE)
		behind = inject->queue.end;
	for (int place = 0; place < INJECTION_PLACES; place++)
		if (inject->at[place] == QUEUE_NONE)
			inject->at[place] = behind;
	do
		emit_due(inject, inject->queue.first);
	while (queue_emit_first(&inject->queue, stage));
}

void
inject_init(struct inject *inject, bool with_system)
{
	*inject = (struct inject){.stage = {.take = take, .end = end},
	    .with_system = with_system,
	    .holds_all = with_system,
	    .queue = QUEUE_OF(struct queue_item)};
	json_edit_init(&inject->edit, STR(""));
	forget_places(inject);
}

void
inject_add(struct inject *inject, const struct injection *injection)
{
	LIST_ADD(inject->item, inject->count, inject->cap, *injection);
	inject->holds_all |= injection->command != NULL;
	inject->holds_request |= injection->place == INJECTION_BEFORE_LAST_USER;
}

void
inject_copy(struct inject *inject, const struct inject *from)
{
	inject_init(inject, from->with_system);
	inject->timeout = from->timeout;
	for (size_t i = 0; i < from->count; i++) {
		struct injection item = from->item[i];

		item.lines = (struct buf)BUF_INIT;
		buf_add_str(&item.lines, buf_str(&from->item[i].lines));
		buf_pad(&item.lines);
		inject_add(inject, &item);
	}
}

void
inject_free(struct inject *inject)
{
	for (size_t i = 0; i < inject->count; i++)
		injection_free(&inject->item[i]);
	free(inject->item);
	queue_free(&inject->queue);
	buf_free(&inject->parent);
	buf_free(&inject->agent);
	buf_free(&inject->first_text);
	buf_free(&inject->prompt);
	buf_free(&inject->request);
	json_edit_free(&inject->edit);
}
