#include "told.h"

#include <stdlib.h>

#include "base/bounded.h"
#include "base/list.h"
#include "base/text/utf8.h"
#include "json/string.h"
#include "policy/words/first_words.h"
#include "tokens/estimate.h"

/* A message whose text differs on the other side is recognized by so many of its first bytes. */
enum { START_LEAST = 12, START_MOST = 24 };

struct reader {
	struct told_all *all;
	struct side *side;
	struct estimator *estimator;
	struct str joint;
	size_t most;
	struct calls calls;
	struct buf text;
	struct hash texts; /* of the message at hand */
};

/* Adds a text of the message. Media are compared by their bytes. */
static void
add_found(void *context, enum text_kind kind, struct json_value value)
{
	struct reader *reader = context;
	struct buf *text = &reader->text;
	struct str stand_in = text_stand_in(kind);
	size_t from;

	if (text->len > 0 && text->ptr[text->len - 1] != '\n')
		buf_add_char(text, '\n');
	from = text->len;
	if (stand_in.len > 0)
		buf_add_str(text, stand_in);
	else if (value.type == JSON_STRING)
		json_decode(value, text);
	else
		buf_add_str(text, json_span(value));
	reader->texts = hash_bytes(
	    stand_in.len > 0 ? json_span(value) : str_of(text->ptr + from, text->len - from),
	    hash_number(kind == TEXT_THINKING, reader->texts));
}

static struct str
keep(struct reader *reader, struct buf *text)
{
	return text->len > 0 ? arena_copy(&reader->all->arena, buf_str(text)) : STR("");
}

static void
set_key(struct told *told, enum told_key kind, struct hash key)
{
	told->has_key[kind] = true;
	told->key[kind] = hash_number(kind, key);
}

/* Adds a string to the hash of ids. Returns whether there is one. */
static bool
add_id(struct json_value id, struct hash *ids)
{
	struct buf scratch = BUF_INIT;
	bool is_there = id.type == JSON_STRING;

	if (is_there)
		*ids = hash_bytes(json_text(id, &scratch), *ids);
	buf_free(&scratch);
	return is_there;
}

/* Sets the keys of the message, whose texts have been found. */
static void
set_keys(struct reader *reader, const struct message *message, struct told *told)
{
	struct hash none = hash_seed(HASH_RECORD), ids = none, first = none;
	struct hash role = hash_bytes(told->role, none);
	struct call_walk calls = call_walk_of(message);
	struct str start = utf8_start(told->words, START_MOST);
	struct tool_call call;
	bool has_call = false;

	if (add_id(message->tool_call_id, &ids))
		set_key(told, TOLD_ID, ids);
	while (call_walk_next(&calls, &call)) {
		add_id(call.id, &ids);
		if (!has_call && add_id(call.id, &first))
			set_key(told, TOLD_ID, first);
		has_call = true;
	}
	set_key(told, TOLD_SAME, hash_number(reader->texts.a, hash_number(reader->texts.b, ids)));
	told->key[TOLD_SAME] = hash_bytes(told->role, told->key[TOLD_SAME]);
	set_key(told, TOLD_TEXTS, hash_number(reader->texts.a, hash_number(reader->texts.b, role)));
	/* Artifacts of all compactions begin alike. */
	if (!told->has_key[TOLD_ID] && start.len >= START_LEAST && !message_is_artifact(message))
		set_key(told, TOLD_START, hash_bytes(start, role));
	if (!told->has_key[TOLD_ID] && add_id(message->meta[METADATA_ID], &first))
		set_key(told, TOLD_ID, hash_number(1, first));
	if (message->kind == RECORD_CONTEXT)
		set_key(told, TOLD_ID, role);
}

/* Copies the line of a call, or of none. */
static struct told_call
keep_call(struct reader *reader, const struct call_line *line)
{
	struct arena *arena = &reader->all->arena;
	struct told_call call = {.tool = STR(""), .use = STR("")};

	if (line != NULL && line->tool.len > 0)
		call.tool = arena_copy(arena, buf_str(&line->tool));
	if (line != NULL && line->use.len > 0)
		call.use = arena_copy(arena, buf_str(&line->use));
	call.tokens = line != NULL ? line->tokens : 0;
	return call;
}

static void
keep_calls(struct reader *reader, struct told *told)
{
	told->calls = reader->side->verdict.calls;
	told->call = arena_alloc(&reader->all->arena, told->calls * sizeof *told->call);
	for (uint32_t i = 0; i < told->calls; i++)
		told->call[i] = keep_call(reader, calls_made(&reader->calls, i));
	told->answered = keep_call(reader, calls_answered(&reader->calls));
}

/* Sets the members that only a message has. */
static void
take_message(struct reader *reader, const struct message *message, struct told *told)
{
	const struct verdict *verdict = &reader->side->verdict;

	told->has_failed = message->role == ROLE_TOOL && message_is(message, METADATA_IS_ERROR);
	calls_take(&reader->calls, &reader->side->walk, verdict);
	told->is_counted = !verdict->outside;
	told->is_result = message->role == ROLE_TOOL;
	told->indent = verdict->outside || verdict->nested > 0 ? 2 : 0;
	told->turn = verdict->outside ? 0 : verdict->turn;
	told->tokens = estimate_message(reader->estimator, message);
	buf_reset(&reader->text);
	first_words_add_role(message, told->has_failed, &reader->text);
	told->role = keep(reader, &reader->text);
	buf_reset(&reader->text);
	first_words_add(message, reader->joint, reader->most, told->has_failed, &reader->text);
	told->words = keep(reader, &reader->text);
	buf_reset(&reader->text);
	message_texts(message, add_found, reader);
	keep_calls(reader, told);
}

static void
take_context(struct reader *reader, const struct message *message, struct told *told)
{
	struct buf words = BUF_INIT;

	told->role = STR("context");
	told->tokens = estimate_context(reader->estimator, message);
	buf_reset(&reader->text);
	message_context_texts(message, add_found, reader);
	if (reader->text.len > 0)
		first_words_add_lines(buf_str(&reader->text), reader->joint, reader->most, &words);
	told->words = keep(reader, &words);
	buf_free(&words);
}

void
told_read(struct told_all *all, struct side *side, struct estimator *estimator, struct str joint,
    size_t most)
{
	struct reader reader = {.all = all,
	    .side = side,
	    .estimator = estimator,
	    .joint = joint,
	    .most = most,
	    .calls = {.estimator = estimator}};

	while (side_next(side)) {
		struct told told = {.number = side->place,
		    .look = page_message_look(side->message),
		    .answered = {.tool = STR(""), .use = STR("")},
		    .partner = TOLD_NONE};

		reader.texts = hash_seed(HASH_RECORD);
		if (side->message->kind == RECORD_MESSAGE)
			take_message(&reader, side->message, &told);
		else
			take_context(&reader, side->message, &told);
		told.text = keep(&reader, &reader.text);
		set_keys(&reader, side->message, &told);
		if (told.is_counted)
			all->tokens = bounded_add(all->tokens, told.tokens);
		LIST_ADD(all->told, all->count, all->cap, told);
	}
	calls_free(&reader.calls);
	buf_free(&reader.text);
}

void
told_free(struct told_all *all)
{
	free(all->told);
	arena_free(&all->arena);
}
