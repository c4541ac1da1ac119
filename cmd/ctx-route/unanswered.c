#include "unanswered.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/message/metadata.h"
#include "json/string.h"
#include "json/write.h"

_Static_assert(OPTION_LIST_MAX <= 64, "a bit for each");

static uint64_t
names_of(const struct option_list *resolve, struct json_value id)
{
	uint64_t named = 0;

	for (unsigned i = 0; i < resolve->count; i++)
		if (json_is(id, str_from(resolve->item[i])))
			named |= UINT64_C(1) << i;
	return named;
}

bool
unanswered_add(struct unanswered *u, const struct message *message, const struct verdict *verdict,
    const struct option_list *resolve, size_t held)
{
	uint64_t any = 0, all = names_of(resolve, message->meta[METADATA_ID]);
	size_t first = u->count;
	struct tool_call call;
	uint32_t number = verdict->first_call;

	if (resolve->count == 0 || verdict->outside)
		return false;
	for (struct call_walk calls = call_walk_of(message); call_walk_next(&calls, &call);) {
		uint64_t named = all | names_of(resolve, call.id);

		LIST_ADD(u->call, u->count, u->cap,
		    (struct unanswered_call){number++, (uint32_t)first, held, named, false});
		any |= named;
	}
	if (any == 0)
		u->count = first;
	u->open += u->count - first;
	return any != 0;
}

void
unanswered_answer(struct unanswered *u, uint32_t number)
{
	size_t at;

	LIST_BOUND(at, i, u->count, u->call[i].number < number);
	if (at == u->count || u->call[at].number != number || u->call[at].is_answered)
		return;
	u->call[at].is_answered = true;
	if (--u->open == 0)
		u->count = 0;
}

/* Puts the ids that the message says are resolved, and those that are named, into the map, and into
 * u->value as the elements of an array. */
static void
list_ids(struct unanswered *u, const struct message *message, const struct unanswered_call *of,
    struct map *ids)
{
	struct json_writer w;
	struct tool_call call;

	buf_reset(&u->value);
	json_begin(&w, &u->value, '[');
	for (struct json_walk said = json_walk_of(message->meta[METADATA_RESOLVED]);
	     json_walk_next(&said);) {
		map_set(ids, call_id_hash(said.value), 0);
		json_put_value(&w, said.value);
	}
	for (struct call_walk calls = call_walk_of(message); call_walk_next(&calls, &call); of++)
		if (!of->is_answered && of->named != 0 &&
		    map_set(ids, call_id_hash(call.id), 0) == MAP_NONE)
			json_put_value(&w, call.id);
	json_close(&w);
}

/* Whether no call without a result is missing among the ids. */
static bool
has_all(const struct message *message, const struct unanswered_call *of, const struct map *ids)
{
	struct tool_call call;
	bool all = true;

	for (struct call_walk calls = call_walk_of(message); call_walk_next(&calls, &call); of++)
		all &= of->is_answered || map_get(ids, call_id_hash(call.id)) != MAP_NONE;
	return all;
}

/* Marks the message whose calls begin at of. */
static void
mark(struct unanswered *u, const struct unanswered_call *of, struct record *held)
{
	struct map ids = {.count = 0};
	struct message message;
	struct metadata_member member = {.name = METADATA_RESOLVED, .value = STR_INIT("true")};
	struct json_edit edit;

	message_parse(&message, held->line.text);
	if (message_is(&message, METADATA_RESOLVED))
		return;
	list_ids(u, &message, of, &ids);
	if (!has_all(&message, of, &ids))
		member.value = buf_str(&u->value);
	map_free(&ids);
	if (str_eq(member.value, json_span(message.meta[METADATA_RESOLVED])))
		return;
	json_edit_init(&edit, held->line.text);
	if (metadata_set(&edit, &message, &member, 1))
		held_step_change(held, &edit);
	json_edit_free(&edit);
}

uint64_t
unanswered_mark(struct unanswered *u, struct held_step *hold)
{
	uint64_t resolved = 0, named = 0;

	for (size_t i = 0; i < u->count; i++) {
		const struct unanswered_call *call = &u->call[i];
		bool is_last = i + 1 == u->count || u->call[i + 1].message != call->message;

		named |= call->is_answered ? 0 : call->named;
		if (!is_last)
			continue;
		if (named != 0 && call->held != QUEUE_NONE)
			mark(u, &u->call[call->message], queue_record(&hold->queue, call->held));
		resolved |= named;
		named = 0;
	}
	unanswered_forget(u);
	return resolved;
}

void
unanswered_forget(struct unanswered *u)
{
	u->count = u->open = 0;
}

void
unanswered_free(struct unanswered *u)
{
	free(u->call);
	buf_free(&u->value);
}
