#include "against.h"

#include "base/bounded.h"
#include "base/text/utf8.h"
#include "json/string.h"
#include "tokens/start.h"

enum { EXCERPT_BEFORE = 24, EXCERPT_MAX = 64 }; /* bytes */

void
against_open(
    struct against *against, const char *path, struct run *run, struct estimator *estimator)
{
	*against = (struct against){.estimator = estimator, .fault = &run->fault};
	against->path = (char *)path;
	source_init(&against->source, &against->path, 1, &run->fault);
	against->source.named = path;
	against->source.in.line_max = run->source.in.line_max;
	against->source.names_all = run->source.names_all;
	against->source.stops_at_bad = run->source.stops_at_bad;
	side_init(&against->was, run, &against->source);
	side_init(&against->now, run, &run->source);
}

static void
place_free(struct against_place *place)
{
	buf_free(&place->label);
	buf_free(&place->member);
	buf_free(&place->pointer);
	buf_free(&place->was);
	buf_free(&place->now);
}

void
against_free(struct against *against)
{
	side_free(&against->was);
	side_free(&against->now);
	source_free(&against->source);
	place_free(&against->place);
	prefix_difference_free(&against->difference);
}

static void
add_excerpt(struct buf *excerpt, struct str text, size_t at)
{
	size_t from = at > EXCERPT_BEFORE ? utf8_ceil(text, at - EXCERPT_BEFORE) : 0;
	size_t to = text.len - from > EXCERPT_MAX ? utf8_floor(text, from + EXCERPT_MAX) : text.len;

	if (from > 0)
		buf_add_str(excerpt, STR("..."));
	buf_add_str(excerpt, str_of(text.ptr + from, to - from));
	if (to < text.len)
		buf_add_str(excerpt, STR("..."));
}

/* Adds the excerpt of one side: of two texts, from the place where they differ; of other values,
 * their JSON. */
static void
add_side(struct buf *excerpt, const struct prefix_difference *d, struct json_value value)
{
	struct buf scratch = BUF_INIT;

	if (value.type == JSON_STRING && !d->is_name && d->was.type == d->now.type)
		add_excerpt(excerpt, json_text(value, &scratch), d->shared);
	else if (value.type != JSON_ABSENT)
		add_excerpt(excerpt, json_span(value), 0);
	buf_free(&scratch);
}

/* Begins the place of a difference in that part. */
static struct against_place *
begin_place(struct against *against, unsigned part, uint64_t number, enum prefix_change change)
{
	struct against_place *place = &against->place;

	place_free(place);
	*place = (struct against_place){.part = part, .number = number, .change = change};
	against->differs = true;
	return place;
}

/* Says in the place where the two values of a part differ. */
static void
note_difference(struct against *against)
{
	struct against_place *place = &against->place;
	const struct prefix_difference *d = &against->difference;

	if (place->part != AGAINST_MESSAGE || !against->now.is_lone)
		buf_add_str(&place->pointer, buf_str(&d->pointer));
	if (!d->is_name && d->was.type == JSON_STRING && d->now.type == JSON_STRING)
		place->character = d->characters + 1;
	if (place->part == AGAINST_MESSAGE && d->member.type != JSON_ABSENT) {
		json_decode(d->member, &place->member);
		place->element = d->element;
	}
	add_side(&place->was, d, d->was);
	add_side(&place->now, d, d->now);
}

static struct start_end
end_of_shared(const struct prefix_difference *difference)
{
	return (struct start_end){difference->at, difference->shared};
}

/* Notes that the messages that came last differ, or that one side has none there. */
static void
note_message(struct against *against, bool has_was, bool has_now, enum prefix_change change)
{
	const struct side *was = &against->was, *now = &against->now;
	const struct message *message = has_now ? now->message : was->message;
	struct against_place *place =
	    begin_place(against, AGAINST_MESSAGE, has_now ? now->number : was->number, change);

	if (message->role_value.type == JSON_STRING)
		json_decode(message->role_value, &place->label);
	place->was_line = has_was ? was->line : 0;
	place->now_line = has_now ? now->line : 0;
	if (now->is_body && has_now)
		buf_add_str(&place->pointer, str_from(now->list));
	if (now->is_body && has_now && !now->is_lone)
		buf_add_fmt(&place->pointer, "/%ju", (uintmax_t)now->number - 1);
	if (has_was && has_now)
		note_difference(against);
}

static uint64_t
count_message(struct against *against, const struct message *message)
{
	return estimate_message(against->estimator, message);
}

static void
count_rest(struct against *against, struct side *side)
{
	while (side_next(side))
		side->count = bounded_add(side->count, count_message(against, side->message));
}

/* Compares the messages, and counts them: those that are the same on the later side only. */
static void
compare_messages(struct against *against)
{
	struct side *was = &against->was, *now = &against->now;
	bool has_was, has_now, same;
	uint64_t count;

	for (;;) {
		has_was = side_next(was);
		has_now = side_next(now);
		if (!has_was || !has_now)
			break;
		same = prefix_is_same(
		    was->message->value, now->message->value, PREFIX_MESSAGE, &against->difference);
		if (!same)
			break;
		count = count_message(against, now->message);
		against->shared = bounded_add(against->shared, count);
	}
	was->count = now->count = against->shared;
	if (has_was)
		was->count = bounded_add(was->count, count_message(against, was->message));
	if (has_now)
		now->count = bounded_add(now->count, count_message(against, now->message));
	if (has_was)
		note_message(against, has_was, has_now,
		    has_now ? against->difference.change : PREFIX_MISSING);
	if (has_was && has_now)
		against->shared = bounded_add(against->shared,
		    start_of_message(
			against->estimator, now->message, end_of_shared(&against->difference)));
	count_rest(against, was);
	count_rest(against, now);
}

/* The elements of a part: tools, or blocks of the system prompt. A part that is no list is one
 * element; an absent part has none. */
struct elements {
	struct json_walk walk;
	struct json_value value;
	uint64_t number; /* of value, from 1 */
	bool is_list;
};

static void
elements_open(struct elements *elements, unsigned part, struct json_value value)
{
	*elements = (struct elements){.walk = json_walk_of(value),
	    .value = value,
	    .is_list = value.type == JSON_ARRAY && (part == HEAD_TOOLS || part == HEAD_SYSTEM)};
}

static bool
elements_next(struct elements *elements)
{
	elements->number++;
	if (!elements->is_list)
		return elements->number == 1 && elements->value.type != JSON_ABSENT;
	if (!json_walk_next(&elements->walk))
		return false;
	elements->value = elements->walk.value;
	return true;
}

/* The tokens of a part up to the place in it. */
static uint64_t
count_part(struct against *against, unsigned part, struct json_value value, struct start_end end)
{
	struct elements elements;
	uint64_t sum = 0;

	if (value.type == JSON_ABSENT || part == HEAD_MODEL || part == HEAD_CHOICE ||
	    part == HEAD_THINKING)
		return 0;
	if (part != HEAD_SYSTEM)
		return start_of_value(against->estimator, value, end);
	elements_open(&elements, part, value);
	while (elements_next(&elements)) {
		struct json_value text = prefix_text(elements.value);

		if (text.type == JSON_ABSENT)
			text = elements.value;
		sum = bounded_add(sum, start_of_value(against->estimator, text, end));
	}
	return sum;
}

static struct start_end
end_of_value(struct json_value value)
{
	return (struct start_end){value.len > 0 ? value.ptr + value.len : value.ptr, 0};
}

/* The tokens of the parts before that one. */
static uint64_t
count_parts(struct against *against, const struct side *side, unsigned end)
{
	uint64_t sum = 0;

	for (unsigned part = 0; part < end; part++) {
		struct json_value value = side->head[part];

		sum = bounded_add(sum, count_part(against, part, value, end_of_value(value)));
	}
	return sum;
}

/* Appends the name of a tool, in the spelling of either API. */
static void
add_tool_name(struct buf *label, struct json_value tool)
{
	struct json_value name = json_find(tool, STR("name"));

	if (name.type != JSON_STRING)
		name = json_find(json_find(tool, STR("function")), STR("name"));
	if (name.type == JSON_STRING)
		json_decode(name, label);
}

/* Notes that a part differs at these elements; one of them may be NULL. */
static void
note_part(
    struct against *against, unsigned part, const struct elements *was, const struct elements *now)
{
	const struct elements *any = now != NULL ? now : was;
	struct json_value value = against->now.head[part];
	struct start_end end = end_of_value(value);
	struct against_place *place;

	if (against->was.head[part].type == JSON_ABSENT)
		end = (struct start_end){NULL, 0};
	else if (now != NULL)
		end = was != NULL ? end_of_shared(&against->difference) :
				    (struct start_end){now->value.ptr, 0};
	place = begin_place(against, part, any->number,
	    was == NULL     ? PREFIX_ADDED :
		now == NULL ? PREFIX_MISSING :
			      against->difference.change);
	place->is_element = any->is_list;
	if (part == HEAD_TOOLS)
		add_tool_name(&place->label, any->value);
	if (now != NULL) {
		buf_add_char(&place->pointer, '/');
		buf_add_str(&place->pointer, against->now.head_name[part]);
		if (now->is_list)
			buf_add_fmt(&place->pointer, "/%ju", (uintmax_t)now->number - 1);
	}
	if (was != NULL && now != NULL)
		note_difference(against);
	against->shared = bounded_add(
	    count_parts(against, &against->now, part), count_part(against, part, value, end));
}

/* Whether the part is in the prompts of both sides, as far as known. */
static bool
is_said(const struct against *against, unsigned part)
{
	const struct side *was = &against->was, *now = &against->now;

	if (part == HEAD_MODEL)
		return was->head[part].type != JSON_ABSENT && now->head[part].type != JSON_ABSENT;
	return (was->is_body && now->is_body) || (part != HEAD_CHOICE && part != HEAD_THINKING);
}

/* Compares a part before the messages. Returns whether both sides have the same. */
static bool
compare_part(struct against *against, unsigned part)
{
	static const enum prefix_kind kinds[HEAD_COUNT] = {
	    [HEAD_TOOLS] = PREFIX_TOOL, [HEAD_SYSTEM] = PREFIX_BLOCK};
	struct elements was, now;

	elements_open(&was, part, against->was.head[part]);
	elements_open(&now, part, against->now.head[part]);
	for (;;) {
		bool has_was = elements_next(&was), has_now = elements_next(&now);

		if (!has_was && !has_now)
			return true;
		if (has_was && has_now &&
		    prefix_is_same(was.value, now.value, kinds[part], &against->difference))
			continue;
		note_part(against, part, has_was ? &was : NULL, has_now ? &now : NULL);
		return false;
	}
}

void
against_compare(struct against *against)
{
	uint64_t head;
	unsigned part = 0;

	compare_messages(against);
	if (fault_is_set(against->fault))
		return;
	head = count_parts(against, &against->now, HEAD_COUNT);
	against->now_tokens = bounded_add(head, against->now.count);
	against->was_tokens =
	    bounded_add(count_parts(against, &against->was, HEAD_COUNT), against->was.count);
	against->shared = bounded_add(head, against->shared);
	while (part < HEAD_COUNT && (!is_said(against, part) || compare_part(against, part)))
		part++;
}

bool
against_is_known(const struct against *against)
{
	const struct side *sides[] = {&against->was, &against->now};

	for (unsigned i = 0; i < 2; i++) {
		const struct source *source = sides[i]->source;

		if (source_is_other(source) ||
		    (source->counts.bad > 0 && sides[i]->number == 0 && sides[i]->text.len == 0))
			return false;
	}
	return true;
}
