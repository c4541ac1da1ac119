#include "policy/facts/tried.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/session/call_digest.h"
#include "json/canon.h"
#include "json/string.h"
#include "json/members.h"
#include "policy/text/cut.h"

enum {
	CALL_BYTES = 200, /* the most of a target or of arguments that tells a call */
	KEY_DIGITS = 12
};

void
tried_free(struct tried *tried)
{
	free(tried->item);
	map_free(&tried->at);
	arena_free(&tried->arena);
	buf_free(&tried->scratch);
}

static void
put(const struct tried_call *item, struct json_writer *w)
{
	json_open(w, '{');
	json_member_string(w, STR("call"), item->call);
	if (item->key.len > 0)
		json_member_string(w, STR("key"), item->key);
	json_member_integer(w, STR("count"), (int64_t)item->count);
	json_member_string(w, STR("outcome"), item->outcome);
	json_close(w);
}

static size_t
written_len(struct tried *tried, const struct tried_call *item)
{
	struct json_writer w;

	buf_reset(&tried->scratch);
	json_writer_init(&w, &tried->scratch);
	put(item, &w);
	return tried->scratch.len;
}

static struct hash
hash_of(struct str call, struct str key)
{
	return key.len > 0 ? hash_bytes(key, hash_seed(HASH_CALL_DIGEST)) :
			     hash_bytes(call, hash_seed(HASH_LABEL));
}

/* The item of a call, which may be new. */
static struct tried_call *
find(struct tried *tried, struct str call, struct str key)
{
	struct hash of = hash_of(call, key);
	uint64_t at = map_get(&tried->at, of);

	if (at != MAP_NONE)
		return &tried->item[at];
	map_set(&tried->at, of, tried->count);
	LIST_ROOM(tried->item, tried->count, tried->cap);
	tried->item[tried->count] = (struct tried_call){
	    .call = arena_copy(&tried->arena, call), .key = arena_copy(&tried->arena, key)};
	return &tried->item[tried->count++];
}

static void
add(struct tried *tried, struct tried_call *item, uint64_t count, struct str outcome)
{
	if (item->is_shown)
		tried->json_len -= written_len(tried, item);
	item->count += count;
	item->outcome = outcome;
	if (!item->is_shown)
		tried->json_len += tried->shown++ > 0;
	item->is_shown = true;
	tried->json_len += written_len(tried, item);
}

void
tried_write_label(struct str tool, struct str what, struct buf *text)
{
	buf_add_str(text, tool);
	buf_add_char(text, ' ');
	cut_middle(what, CALL_BYTES, text);
}

void
tried_add_label(const struct call *call, struct buf *text)
{
	struct arena scratch = ARENA_INIT;
	struct buf json = BUF_INIT;
	struct tool_arguments arguments;

	buf_add_str(&json, call->use.target);
	if (call->use.target.len == 0) {
		tool_arguments(call->arguments, &scratch, &arguments);
		if (arguments.value.type != JSON_ABSENT)
			json_canon(arguments.value, &json, &scratch);
	}
	tried_write_label(call->name, buf_str(&json), text);
	buf_free(&json);
	arena_free(&scratch);
}

/* Whether the label tells all arguments of the call, as far as it was not cut. */
static bool
is_told(const struct call *call)
{
	struct arena scratch = ARENA_INIT;
	struct tool_arguments arguments;
	struct json_walk walk;
	unsigned count = 0;

	tool_arguments(call->arguments, &scratch, &arguments);
	json_walk_open(&walk, arguments.value);
	while (json_walk_next(&walk))
		count++;
	arena_free(&scratch);
	return call->use.target.len == 0 || count == 1;
}

/* Whether the arguments of the call were shortened after its digest was noted. */
static bool
is_shortened(const struct session *t, uint32_t index, struct str noted)
{
	const struct call *call = &t->call[index];
	struct buf digest = BUF_INIT;
	bool is_other;

	if (!t->entry[t->group[call->group].entry].says_keys)
		return false;
	call_digest_write(call->name, call->arguments, &digest);
	is_other = !str_eq(noted, buf_str(&digest));
	buf_free(&digest);
	return is_other;
}

void
tried_add_key(const struct session *t, uint32_t index, struct str label, struct buf *key)
{
	struct buf digest = BUF_INIT;

	session_add_digest(t, index, &digest);
	if (str_find(label, STR("…")) != NULL || !is_told(&t->call[index]) ||
	    is_shortened(t, index, buf_str(&digest)))
		buf_add_str(key, str_of(digest.ptr, KEY_DIGITS));
	buf_free(&digest);
}

void
tried_add(
    struct tried *tried, const struct session *t, const struct attempts *attempts, uint32_t index)
{
	const struct call *call = &t->call[index];
	const struct attempt *attempt = &attempts->attempt[index];
	struct buf text = BUF_INIT, key = BUF_INIT;

	if (!attempts_has_failed(attempts, index) || attempts_last(attempts, index)->number < 2)
		return;
	tried_add_label(call, &text);
	tried_add_key(t, index, buf_str(&text), &key);
	add(tried, find(tried, buf_str(&text), buf_str(&key)), 1,
	    attempts_outcome(t, &t->call[attempt->last]));
	buf_free(&text);
	buf_free(&key);
}

static struct str
read_outcome(struct json_value outcome)
{
	static const struct str known[] = {STR_INIT("ok"), STR_INIT("no result")};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (json_is(outcome, known[i]))
			return known[i];
	return STR("error");
}

void
tried_add_trace(struct tried *tried, struct str label, struct str key, struct json_value outcome)
{
	struct tried_call *item = find(tried, label, key);
	struct str ended = read_outcome(outcome);

	item->has_failed = item->has_failed || !str_eq(ended, STR("ok"));
	if (item->is_shown || (item->has_failed && item->count > 0)) {
		add(tried, item, 1, ended);
	} else {
		item->count++;
		item->outcome = ended;
	}
}

void
tried_read(struct tried *tried, struct json_value array)
{
	struct buf text = BUF_INIT, key = BUF_INIT;
	struct json_walk walk;

	json_walk_open(&walk, array);
	while (array.type == JSON_ARRAY && json_walk_next(&walk)) {
		struct json_value call = json_find(walk.value, STR("call"));
		struct json_value told = json_find(walk.value, STR("key"));
		int64_t count = json_integer(json_find(walk.value, STR("count")), 0);

		if (call.type == JSON_STRING && count > 0 && count <= UINT32_MAX)
			add(tried,
			    find(tried, json_text(call, &text),
				told.type == JSON_STRING ? json_text(told, &key) : STR("")),
			    (uint64_t)count, read_outcome(json_find(walk.value, STR("outcome"))));
	}
	buf_free(&text);
	buf_free(&key);
}

void
tried_write(const struct tried *tried, struct json_writer *w)
{
	json_open(w, '[');
	for (uint32_t i = 0; i < tried->count; i++)
		if (tried->item[i].is_shown)
			put(&tried->item[i], w);
	json_close(w);
}
