#include "policy/facts/retries.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/number.h"
#include "data/session/call_digest.h"
#include "data/session/session_calls.h"
#include "json/canon.h"
#include "json/members.h"
#include "json/string.h"
#include "policy/text/cut.h"
#include "policy/text/quote.h"

enum {
	CALL_BYTES = 200, /* the most bytes of a target or of arguments that identify a call */
	KEY_DIGITS = 12
};

void
retries_free(struct retries *retries)
{
	free(retries->item);
	map_free(&retries->at);
	arena_free(&retries->arena);
}

/* The item of a call, which may be new. */
static struct retries_call *
find(struct retries *retries, struct str call, struct str key)
{
	struct hash of =
	    key.len > 0 ? hash_bytes(key, hash_seed(HASH_CALL_DIGEST)) : hash_label(call);
	uint64_t at = map_get(&retries->at, of);

	if (at != MAP_NONE)
		return &retries->item[at];
	map_set(&retries->at, of, retries->count);
	LIST_ROOM(retries->item, retries->count, retries->cap);
	retries->item[retries->count] = (struct retries_call){
	    .call = arena_copy(&retries->arena, call), .key = arena_copy(&retries->arena, key)};
	return &retries->item[retries->count++];
}

/* Makes the item the newest thing of the list. */
static void
put(struct things *list, struct retries_call *item)
{
	struct buf json = BUF_INIT;
	struct json_writer w;

	things_take_out(list, item->listed);
	json_begin(&w, &json, '{');
	json_member_string(&w, STR("call"), item->call);
	if (item->key.len > 0)
		json_member_string(&w, STR("key"), item->key);
	json_member_integer(&w, STR("count"), (int64_t)item->count);
	json_member_string(&w, STR("outcome"), item->outcome);
	if (item->place > 0)
		json_member_integer(&w, STR("place"), (int64_t)item->place);
	json_close(&w);
	things_add(list, buf_str(&json));
	item->listed = list->item[list->used - 1];
	buf_free(&json);
}

static void
add(struct things *list, struct retries_call *item, uint64_t count, struct str outcome,
    uint64_t place)
{
	item->count += count;
	item->outcome = outcome;
	item->place = place;
	put(list, item);
}

void
retries_write_label(struct str tool, struct str what, struct buf *text)
{
	buf_add_str(text, tool);
	buf_add_char(text, ' ');
	cut_middle(what, CALL_BYTES, text);
}

/* Whether the object has one member. */
static bool
is_single(struct json_value object)
{
	struct json_walk walk = json_walk_of(object);

	return json_walk_next(&walk) && !json_walk_next(&walk);
}

/* Appends the first digits of the noted digest, or of the call's own where none is noted, if other
 * calls may have the label, or if the arguments were shortened after the digest was noted. */
static void
add_key(struct str name, struct str arguments, struct str noted, bool is_needed, struct buf *key)
{
	struct buf digest = BUF_INIT;

	call_digest_write(name, arguments, &digest);
	if (is_needed || !str_eq(noted, buf_str(&digest)))
		buf_add_str(key, str_of(noted.len > 0 ? noted.ptr : digest.ptr, KEY_DIGITS));
	buf_free(&digest);
}

void
retries_add_names(const struct session *t, uint32_t index, struct buf *label, struct buf *key)
{
	const struct call *call = &t->call[index];
	struct str noted = session_noted_digest(t, index), what = call->use.target;
	struct arena scratch = ARENA_INIT;
	struct buf canonical = BUF_INIT;
	struct tool_arguments arguments;
	bool is_needed;

	tool_arguments(call->arguments, &scratch, &arguments);
	is_needed = what.len > 0 && !is_single(arguments.value);
	if (what.len == 0)
		call_digest_text(&arguments, &canonical, &scratch);
	if (what.len == 0 && arguments.value.type != JSON_ABSENT)
		what = buf_str(&canonical);
	retries_write_label(call->name, what, label);
	is_needed |= str_find(buf_str(label), STR("…")) != NULL;
	if (is_needed || noted.len > 0) {
		if (canonical.len == 0)
			call_digest_text(&arguments, &canonical, &scratch);
		add_key(call->name, buf_str(&canonical), noted, is_needed, key);
	}
	buf_free(&canonical);
	arena_free(&scratch);
}

void
retries_add(struct retries *retries, struct things *list, const struct session *t,
    const struct attempts *attempts, const struct places *places, uint32_t index)
{
	struct buf text = BUF_INIT, key = BUF_INIT;
	const struct call *last;

	if (!attempts_has_failed(attempts, index) || attempts_last(attempts, index)->number < 2)
		return;
	retries_add_names(t, index, &text, &key);
	last = &t->call[attempts->attempt[index].last];
	add(list, find(retries, buf_str(&text), buf_str(&key)), 1, attempts_outcome(t, last),
	    places_of(places, t->group[last->group].entry));
	buf_free(&text);
	buf_free(&key);
}

/* Takes out the failing attempts of other calls with that label: their end is reached. */
static void
settle(struct retries *retries, struct things *list, struct str label, struct str key)
{
	for (uint32_t i = 0; i < retries->count && list->count > 0; i++) {
		struct retries_call *item = &retries->item[i];

		if (item->listed.len == 0 || str_eq(item->outcome, STR("ok")) ||
		    !str_eq(item->call, label) || str_eq(item->key, key))
			continue;
		things_take_out(list, item->listed);
		item->listed = STR("");
		item->count = 0;
	}
}

void
retries_settle(
    struct retries *retries, struct things *list, const struct session *t, uint32_t index)
{
	struct buf label = BUF_INIT, key = BUF_INIT;

	if (list->count == 0 || t->call[index].use.target.len == 0)
		return;
	retries_add_names(t, index, &label, &key);
	settle(retries, list, buf_str(&label), buf_str(&key));
	buf_free(&label);
	buf_free(&key);
}

static struct str
read_outcome(struct json_value outcome)
{
	static const struct str known[] = {STR_INIT("ok"), STR_INIT("no result")};

	for (size_t i = 0; i < ARRAY_COUNT(known); i++)
		if (json_is(outcome, known[i]))
			return known[i];
	return STR("error");
}

void
retries_add_trace(struct retries *retries, struct things *list, struct str label, struct str key,
    struct json_value outcome)
{
	struct retries_call *item = find(retries, label, key);
	struct str ended = read_outcome(outcome);

	item->has_failed = item->has_failed || !str_eq(ended, STR("ok"));
	if (item->listed.len > 0 || (item->has_failed && item->count > 0)) {
		add(list, item, 1, ended, 0);
	} else {
		item->count++;
		item->outcome = ended;
	}
	/* A label that ends with its blank is of a call without a target: it gives no goal. */
	if (str_eq(ended, STR("ok")) && !str_has_suffix(label, STR(" ")))
		settle(retries, list, label, key);
}

void
retries_read(struct retries *retries, struct things *list, struct json_value array)
{
	struct buf text = BUF_INIT, key = BUF_INIT;

	for (struct json_walk walk = json_walk_list(array); json_walk_next(&walk);) {
		struct json_value call = json_find(walk.value, STR("call"));
		struct json_value told = json_find(walk.value, STR("key"));
		int64_t count = json_integer(json_find(walk.value, STR("count")), 0);

		if (call.type == JSON_STRING && count > 0 && count <= UINT32_MAX)
			add(list,
			    find(retries, json_text(call, &text),
				told.type == JSON_STRING ? json_text(told, &key) : STR("")),
			    (uint64_t)count, read_outcome(json_find(walk.value, STR("outcome"))),
			    json_count(json_find(walk.value, STR("place"))));
	}
	buf_free(&text);
	buf_free(&key);
}

bool
retries_show(struct str item, struct buf *out)
{
	struct json_value from = json_value_at(item.ptr);
	int64_t count = json_integer(json_find(from, STR("count")), 0);
	uint64_t place = json_count(json_find(from, STR("place")));
	struct str outcome = read_outcome(json_find(from, STR("outcome"))), call;
	struct buf text = BUF_INIT;

	if (count < 2 || str_eq(outcome, STR("ok")))
		return false;
	call = json_text(json_find(from, STR("call")), &text);
	number_write_grouped(out, (uint64_t)count);
	buf_add_str(out, STR(" of "));
	quote_add(out, call, str_find(call, STR(", ")) != NULL);
	buf_add_str(out,
	    str_eq(outcome, STR("error")) ? STR(" (the last failed") :
					    STR(" (the last has no result"));
	if (place > 0) {
		buf_add_str(out, STR(", message "));
		number_write_grouped(out, place);
	}
	buf_add_char(out, ')');
	buf_free(&text);
	return true;
}
