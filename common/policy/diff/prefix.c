#include "policy/diff/prefix.h"

#include "base/text/utf8.h"
#include "data/message/part.h"
#include "json/canon.h"
#include "json/string.h"
#include "json/write.h"

/*
 * Both texts are read token by token, side by side. While all tokens are the same, both are at the
 * same place of the same structure, so one stack of levels serves both. Brackets and the tokens
 * between them determine the structure; commas and colons add nothing and are passed over.
 */

/* What a container on the way is. */
enum rule { RULE_PLAIN, RULE_TOOL, RULE_BLOCK, RULE_MESSAGE, RULE_BLOCKS };

struct level {
	struct json_value name; /* of the current member */
	uint32_t index;         /* of the current element */
	enum rule rule;
	bool is_object;
	bool has_name; /* the value of the member comes next */
};

struct pair {
	const char *was, *now;
	unsigned depth;
	enum rule root;
	bool by_value; /* numbers are compared by their values */
	struct level level[JSON_DEPTH_MAX + 1];
};

static const char *
skip(const char *p)
{
	while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r' || *p == ',' || *p == ':')
		p++;
	return p;
}

static const char *
end_of(struct json_value value)
{
	return value.ptr + value.len;
}

static bool
closes(const char *p)
{
	return *p == '}' || *p == ']';
}

static struct level *
top(struct pair *pair)
{
	return pair->depth > 0 ? &pair->level[pair->depth - 1] : NULL;
}

/* Whether a member of that name is no part of the prompt. */
static bool
is_unsent(enum rule rule, struct json_value name)
{
	return rule != RULE_PLAIN &&
	    (json_is(name, STR("cache_control")) ||
		(rule == RULE_MESSAGE &&
		    (json_is(name, STR("metadata")) || json_is(name, STR("_metadata")))));
}

/* The next token that counts. */
static const char *
next_token(const struct level *level, const char *p)
{
	p = skip(p);
	while (level != NULL && level->is_object && !level->has_name && *p == '"') {
		struct json_value name = json_value_at(p);

		if (!is_unsent(level->rule, name))
			break;
		p = skip(end_of(json_value_at(skip(end_of(name)))));
	}
	return p;
}

/* What a value that comes next is. */
static enum rule
rule_of_next(struct pair *pair)
{
	const struct level *level = top(pair);

	if (level == NULL)
		return pair->root;
	if (level->rule == RULE_BLOCKS)
		return RULE_BLOCK;
	if ((level->rule == RULE_MESSAGE || level->rule == RULE_BLOCK) &&
	    json_is(level->name, STR("content")))
		return RULE_BLOCKS;
	return RULE_PLAIN;
}

struct json_value
prefix_text(struct json_value block)
{
	struct json_value text;
	struct part part;

	if (block.type == JSON_STRING)
		return block;
	for (struct json_walk walk = json_walk_members(block); json_walk_next(&walk);)
		if (!json_is(walk.name, STR("type")) && !json_is(walk.name, STR("text")) &&
		    !json_is(walk.name, STR("cache_control")))
			return json_absent;
	part_read(block, &part);
	text = part_plain_text(&part);
	return part.kind == PART_TEXT && text.type == JSON_ABSENT ? json_find(block, STR("text")) :
								    text;
}

/* The text of an array of one such block. */
static struct json_value
lone_text(struct json_value blocks)
{
	struct json_value only = json_absent;
	struct json_walk walk = json_walk_list(blocks);

	if (json_walk_next(&walk))
		only = walk.value;
	return json_walk_next(&walk) ? json_absent : prefix_text(only);
}

/* The text of a content, if the content on the other side is a string. */
static struct json_value
as_text(enum rule rule, struct json_value value, struct json_value other)
{
	struct json_value text = json_absent;

	if (other.type == JSON_STRING && rule == RULE_BLOCKS)
		text = lone_text(value);
	else if (other.type == JSON_STRING && rule == RULE_BLOCK)
		text = prefix_text(value);
	return text.type == JSON_STRING ? text : value;
}

/* Whether the strings have the same text. When they do not, the difference says how much of both is
 * the same; it may be NULL. */
static bool
is_same_string(struct json_value was, struct json_value now, struct prefix_difference *difference)
{
	struct buf was_scratch = BUF_INIT, now_scratch = BUF_INIT;
	struct str a, b;
	bool same = str_eq(json_span(was), json_span(now));

	if (same || (difference == NULL && !was.escaped && !now.escaped))
		return same;
	a = json_text(was, &was_scratch);
	b = json_text(now, &now_scratch);
	same = str_eq(a, b);
	if (!same && difference != NULL) {
		difference->shared = utf8_floor(b, str_common_len(a, b));
		difference->characters = utf8_count(str_of(b.ptr, difference->shared));
	}
	buf_free(&was_scratch);
	buf_free(&now_scratch);
	return same;
}

static bool
is_whole_number(struct json_value number)
{
	for (uint32_t i = 0; i < number.len; i++)
		if (number.ptr[i] == '.' || (number.ptr[i] | 0x20) == 'e')
			return false;
	return true;
}

static bool
is_same_leaf(const struct pair *pair, struct json_value was, struct json_value now)
{
	if (was.type == JSON_STRING && now.type == JSON_STRING)
		return is_same_string(was, now, NULL);
	if (was.type != now.type || was.type == JSON_ARRAY || was.type == JSON_OBJECT)
		return false;
	if (str_eq(json_span(was), json_span(now)))
		return true;
	return pair->by_value && was.type == JSON_NUMBER &&
	    !(is_whole_number(was) && is_whole_number(now)) &&
	    json_real(was, 0) == json_real(now, 1);
}

static void
end_value(struct pair *pair)
{
	struct level *level = top(pair);

	if (level != NULL && level->is_object)
		level->has_name = false;
	else if (level != NULL)
		level->index++;
}

static void
open_container(struct pair *pair)
{
	bool is_object = *pair->now == '{';
	enum rule rule = rule_of_next(pair);

	if ((rule == RULE_BLOCKS) == is_object)
		rule = RULE_PLAIN;
	pair->level[pair->depth++] = (struct level){.rule = rule, .is_object = is_object};
	pair->was++;
	pair->now++;
}

static bool
take_name(struct pair *pair, struct level *level)
{
	struct json_value was = json_value_at(pair->was), now = json_value_at(pair->now);

	if (!is_same_string(was, now, NULL))
		return false;
	level->name = now;
	level->has_name = true;
	pair->was = end_of(was);
	pair->now = end_of(now);
	return true;
}

static bool
take_leaf(struct pair *pair)
{
	struct json_value was = json_value_at(pair->was), now = json_value_at(pair->now);
	enum rule rule = rule_of_next(pair);

	if (!is_same_leaf(pair, as_text(rule, was, now), as_text(rule, now, was)))
		return false;
	pair->was = end_of(was);
	pair->now = end_of(now);
	end_value(pair);
	return true;
}

/* Takes the next token of both. Returns false where they differ. */
static bool
take(struct pair *pair)
{
	struct level *level = top(pair);

	pair->was = next_token(level, pair->was);
	pair->now = next_token(level, pair->now);
	if (level != NULL && (closes(pair->was) || closes(pair->now))) {
		if (*pair->was != *pair->now)
			return false;
		pair->was++;
		pair->now++;
		pair->depth--;
		end_value(pair);
		return true;
	}
	if (level != NULL && level->is_object && !level->has_name)
		return take_name(pair, level);
	if (*pair->was == *pair->now && (*pair->now == '{' || *pair->now == '[')) {
		open_container(pair);
		return true;
	}
	return take_leaf(pair);
}

static bool
compare(struct pair *pair, struct json_value was, struct json_value now, enum prefix_kind kind)
{
	static const enum rule rules[] = {[PREFIX_VALUE] = RULE_PLAIN,
	    [PREFIX_TOOL] = RULE_TOOL,
	    [PREFIX_BLOCK] = RULE_BLOCK,
	    [PREFIX_MESSAGE] = RULE_MESSAGE};

	pair->was = was.ptr;
	pair->now = now.ptr;
	pair->depth = 0;
	pair->root = rules[kind];
	do {
		if (!take(pair))
			return false;
	} while (pair->depth > 0);
	return true;
}

/* Says where the pair has stopped. */
static void
note_place(struct pair *pair, struct prefix_difference *difference)
{
	const struct level *level = top(pair);
	enum rule rule = rule_of_next(pair);
	struct buf name = BUF_INIT;
	struct json_value was = closes(pair->was) ? json_absent : json_value_at(pair->was);
	struct json_value now = closes(pair->now) ? json_absent : json_value_at(pair->now);

	difference->at = pair->now;
	difference->is_name = level != NULL && level->is_object && !level->has_name;
	difference->was = difference->is_name ? was : as_text(rule, was, now);
	difference->now = difference->is_name ? now : as_text(rule, now, was);
	if (!difference->is_name && difference->was.type == JSON_STRING &&
	    difference->now.type == JSON_STRING)
		is_same_string(difference->was, difference->now, difference);
	if (difference->now.type == JSON_STRING)
		difference->at = difference->now.ptr;
	buf_reset(&difference->pointer);
	for (unsigned i = 0; i < pair->depth; i++) {
		level = &pair->level[i];
		if (level->is_object && !level->has_name)
			break;
		buf_add_char(&difference->pointer, '/');
		if (level->is_object)
			json_add_step(&difference->pointer, json_text(level->name, &name));
		else
			buf_add_fmt(&difference->pointer, "%u", level->index);
	}
	buf_free(&name);
	if (pair->depth > 0 && pair->level[0].has_name)
		difference->member = pair->level[0].name;
	if (pair->depth > 1 && !pair->level[1].is_object)
		difference->element = pair->level[1].index + 1;
}

static struct json_value
canonical(struct json_value value, struct buf *buf, struct arena *arena)
{
	json_canon(value, buf, arena);
	return json_written(buf, 0);
}

/* Whether values that differ are the same but for the order of members and the spelling of
 * numbers. */
static bool
is_respelled(struct pair *pair, struct json_value was, struct json_value now, enum prefix_kind kind)
{
	struct buf was_text = BUF_INIT, now_text = BUF_INIT;
	struct arena arena = ARENA_INIT;
	bool same;

	pair->by_value = true;
	same = compare(
	    pair, canonical(was, &was_text, &arena), canonical(now, &now_text, &arena), kind);
	arena_free(&arena);
	buf_free(&was_text);
	buf_free(&now_text);
	return same;
}

bool
prefix_is_same(struct json_value was, struct json_value now, enum prefix_kind kind,
    struct prefix_difference *difference)
{
	struct buf pointer = difference->pointer;
	struct pair pair;

	pair.by_value = false;
	if (compare(&pair, was, now, kind))
		return true;
	*difference = (struct prefix_difference){.pointer = pointer};
	note_place(&pair, difference);
	difference->change =
	    is_respelled(&pair, was, now, kind) ? PREFIX_RESPELLED : PREFIX_CHANGED;
	return false;
}

void
prefix_difference_free(struct prefix_difference *difference)
{
	buf_free(&difference->pointer);
}
