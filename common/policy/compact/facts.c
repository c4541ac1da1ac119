#include "policy/compact/facts.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/number.h"
#include "json/text.h"
#include "policy/cut.h"
#include "policy/quote.h"

enum {
	ITEM_MAX = 500,    /* bytes of a thing in a list */
	SHOWN_MAX = 20,    /* things of a list that the text names */
	SHOWN_BYTES = 200, /* of each */
};

static const struct {
	const char *title;
	struct str name; /* of the member that lists the things */
	struct str more; /* of the member that counts the others */
	bool is_json;    /* the things are JSON values */
} lists[FACTS_LISTS] = {
    [FACTS_READ] = {"Files read", STR_INIT("files_read"), STR_INIT("files_read_more"), false},
    [FACTS_MODIFIED] = {"Files modified", STR_INIT("files_modified"),
	STR_INIT("files_modified_more"), false},
    [FACTS_UNRESOLVED] = {"Unresolved", STR_INIT("unresolved"), STR_INIT("unresolved_more"), true},
};

void
facts_free(struct facts *facts)
{
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		map_free(&facts->list[i].known);
	arena_free(&facts->arena);
	free(facts->covered);
	free(facts->place);
	free(facts->number);
}

struct json_value
facts_of(const struct entry *entry)
{
	struct message message;

	entry_parse(entry, &message);
	if (message.metadata.type != JSON_OBJECT)
		return (struct json_value){NULL, 0, JSON_ABSENT, 0};
	return message.meta[METADATA_FACTS];
}

/* A copy that JSON can be read from. */
static struct str
copy_padded(struct arena *arena, struct str item)
{
	char *copy = arena_zalloc(arena, 1, item.len + JSON_PADDING);

	memcpy(copy, item.ptr, item.len);
	return str_of(copy, item.len);
}

/* Puts item at the end of the list; if the list is full, the oldest item goes. */
static void
add_item(struct facts *facts, struct fact_list *list, struct str item)
{
	unsigned i = 0;

	if (item.len == 0)
		return;
	map_set(&list->known, hash_bytes(item, hash_seed(HASH_LABEL)), 1);
	if (item.len > ITEM_MAX)
		return;
	while (i < list->count && !str_eq(list->item[i], item))
		i++;
	if (i < list->count)
		item = list->item[i];
	else
		item = copy_padded(&facts->arena, item);
	if (i == FACTS_LIST_MAX)
		i = 0;
	if (i < list->count)
		memmove(
		    &list->item[i], &list->item[i + 1], (--list->count - i) * sizeof list->item[0]);
	list->item[list->count++] = item;
}

static void
add_strings(struct facts *facts, struct fact_list *list, struct json_value array)
{
	struct buf text = BUF_INIT;
	struct json_walk walk;

	json_walk_open(&walk, array);
	while (array.type == JSON_ARRAY && json_walk_next(&walk))
		if (walk.value.type == JSON_STRING)
			add_item(facts, list, json_text(walk.value, &text));
	buf_free(&text);
}

static void
add_values(struct facts *facts, struct fact_list *list, struct json_value array)
{
	struct json_walk walk;

	json_walk_open(&walk, array);
	while (array.type == JSON_ARRAY && json_walk_next(&walk))
		add_item(facts, list, json_span(walk.value));
}

static uint64_t
count_of(struct json_value object, struct str name)
{
	int64_t number = json_integer(json_find(object, name), 0);

	return number > 0 ? (uint64_t)number : 0;
}

/* Merges the facts that any summary has. */
static void
add_summary(struct facts *facts, struct json_value from)
{
	facts->dropped += count_of(from, STR("dropped"));
	for (unsigned i = 0; i < FACTS_LISTS; i++) {
		struct json_value array = json_find(from, lists[i].name);

		facts->list[i].lost += count_of(from, lists[i].more);
		if (lists[i].is_json)
			add_values(facts, &facts->list[i], array);
		else
			add_strings(facts, &facts->list[i], array);
	}
}

/* Ranges that come in ascending order, neighbours joined. */
struct range_writer {
	struct json_writer *w; /* NULL: they are only measured */
	struct fact_range open;
	uint64_t runs;
	size_t len; /* commas between them included */
};

static size_t
digits(uint64_t number)
{
	size_t count = 1;

	while (number >= 10) {
		number /= 10;
		count++;
	}
	return count;
}

static void
put_range(struct range_writer *ranges)
{
	struct fact_range range = ranges->open;

	if (range.last == 0)
		return;
	ranges->len += digits(range.first) + digits(range.last) + 3 + (ranges->runs > 0);
	ranges->runs++;
	if (ranges->w == NULL)
		return;
	json_open(ranges->w, '[');
	json_put_integer(ranges->w, (int64_t)range.first);
	json_put_integer(ranges->w, (int64_t)range.last);
	json_close(ranges->w);
}

static void
add_range(struct range_writer *ranges, struct fact_range range)
{
	if (ranges->open.last + 1 != range.first || ranges->open.last == 0) {
		put_range(ranges);
		ranges->open = range;
	}
	ranges->open.last = range.last;
}

/*
 * The messages of the session take the places that the earlier artifact does not cover:
 *
 *     covered     2-4           7
 *     here      1       5  6       8 ...
 */
static void
add_ranges(const struct facts *facts, struct range_writer *ranges)
{
	size_t covered = 0;

	for (uint32_t i = 0; i < facts->place_count; i++) {
		const struct fact_place *place = &facts->place[i];

		while (
		    covered < facts->covered_count && facts->covered[covered].last < place->place)
			add_range(ranges, facts->covered[covered++]);
		if (place->is_dropped)
			add_range(ranges, (struct fact_range){place->place, place->place});
	}
	while (covered < facts->covered_count)
		add_range(ranges, facts->covered[covered++]);
	put_range(ranges);
}

void
facts_begin(struct facts *facts, const struct session *t, uint32_t artifact)
{
	struct range_writer ranges = {.w = NULL};
	uint64_t last = 0;
	size_t covered = 0;

	facts->number = mem_alloc((size_t)t->count + 1, sizeof *facts->number);
	for (uint32_t i = 0; i < t->count; i++) {
		struct fact_place place = {.is_behind = false};

		facts->number[i] = NONE;
		if (t->entry[i].kind != RECORD_MESSAGE || t->entry[i].outside || i == artifact)
			continue;
		for (; covered < facts->covered_count && facts->covered[covered].first <= last + 1;
		     covered++) {
			last = facts->covered[covered].last;
			place.is_behind = true;
		}
		place.place = ++last;
		LIST_ROOM(facts->place, facts->place_count, facts->place_cap);
		facts->number[i] = facts->place_count;
		facts->place[facts->place_count++] = place;
	}
	add_ranges(facts, &ranges);
	facts->covered_before = covered;
	facts->runs = ranges.runs;
	facts->covers_len = ranges.len;
}

/* Notes that a place is gone. It is a run of its own, makes a run longer, or joins two runs. */
static void
cover(struct facts *facts, uint32_t number)
{
	struct fact_place *place = &facts->place[number];
	bool has_next = number + 1 < facts->place_count;
	bool joins_left = place->is_behind || (number > 0 && place[-1].is_dropped);
	bool joins_right = has_next ? place[1].is_behind || place[1].is_dropped :
				      facts->covered_before < facts->covered_count &&
		facts->covered[facts->covered_before].first == place->place + 1;
	size_t own = digits(place->place);

	place->is_dropped = true;
	if (joins_left && joins_right) {
		facts->covers_len -= digits(place->place - 1) + digits(place->place + 1) + 4;
		facts->runs--;
	} else if (joins_left) {
		facts->covers_len += own - digits(place->place - 1);
	} else if (joins_right) {
		facts->covers_len = facts->covers_len + own - digits(place->place + 1);
	} else {
		facts->covers_len += 2 * own + 3 + (facts->runs > 0);
		facts->runs++;
	}
}

static void
add_covered(struct facts *facts, struct fact_range range)
{
	size_t count = facts->covered_count;
	uint64_t after = count == 0 ? 0 : facts->covered[count - 1].last;

	if (range.first <= after || range.last < range.first)
		return; /* nobody who keeps the order wrote this */
	LIST_ROOM(facts->covered, facts->covered_count, facts->covered_cap);
	facts->covered[facts->covered_count++] = range;
}

void
facts_add_artifact(struct facts *facts, struct json_value from)
{
	struct json_value covers = json_find(from, STR("covers"));
	struct json_walk ranges, ends;

	add_summary(facts, from);
	json_walk_open(&ranges, covers);
	while (covers.type == JSON_ARRAY && json_walk_next(&ranges)) {
		struct fact_range range = {0, 0};

		json_walk_open(&ends, ranges.value);
		if (ranges.value.type == JSON_ARRAY && json_walk_next(&ends))
			range.first = (uint64_t)json_integer(ends.value, 0);
		if (range.first > 0 && range.first <= INT64_MAX && json_walk_next(&ends))
			range.last = (uint64_t)json_integer(ends.value, 0);
		if (range.last <= INT64_MAX)
			add_covered(facts, range);
	}
}

/* Merges the facts that a trace artifact has of one call. */
static void
add_trace_call(struct facts *facts, struct json_value from)
{
	struct json_value target = json_find(from, STR("target")), op = json_find(from, STR("op"));
	struct buf text = BUF_INIT;

	if (target.type == JSON_STRING && json_is(json_find(from, STR("outcome")), STR("ok"))) {
		if (json_is(op, STR("read")))
			add_item(facts, &facts->list[FACTS_READ], json_text(target, &text));
		else if (json_is(op, STR("write")) || json_is(op, STR("edit")))
			add_item(facts, &facts->list[FACTS_MODIFIED], json_text(target, &text));
	}
	buf_free(&text);
}

static void
add_trace(struct facts *facts, struct json_value from)
{
	struct json_value calls = json_find(from, STR("calls"));
	struct json_walk walk;

	add_trace_call(facts, from);
	json_walk_open(&walk, calls);
	while (calls.type == JSON_ARRAY && json_walk_next(&walk))
		add_trace_call(facts, walk.value);
}

static void
add_written(void *context, struct str path)
{
	struct facts *facts = context;

	add_item(facts, &facts->list[FACTS_MODIFIED], path);
}

static void
add_call(struct facts *facts, const struct session *t, const struct call *call)
{
	struct arena scratch = ARENA_INIT;

	if (call->result == NONE || t->entry[call->result].is_error)
		return;
	switch (call->use.op) {
	case TOOL_READ:
		add_item(facts, &facts->list[FACTS_READ], call->use.target);
		break;
	case TOOL_WRITE:
	case TOOL_EDIT:
		add_item(facts, &facts->list[FACTS_MODIFIED], call->use.target);
		break;
	case TOOL_SHELL:
		tool_shell_writes(call->use.target, &scratch, add_written, facts);
		break;
	case TOOL_OTHER:
		break;
	}
	arena_free(&scratch);
}

void
facts_add(struct facts *facts, const struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	facts->dropped++;
	cover(facts, facts->number[index]);
	if (entry->is_summary)
		add_summary(facts, facts_of(entry));
	else if (entry->is_artifact)
		add_trace(facts, facts_of(entry));
	if (!entry->has_calls)
		return;
	for (uint32_t i = 0; i < t->group[entry->group].calls; i++)
		add_call(facts, t, &t->call[t->group[entry->group].first_call + i]);
}

static uint64_t
total(const struct fact_list *list)
{
	return list->lost + list->known.count;
}

/* A thing as people read it, cut if it is long. A JSON string becomes its text; other JSON stays as
 * it is. */
static void
write_shown(struct str item, bool is_json, struct buf *out)
{
	struct buf text = BUF_INIT, shown = BUF_INIT;
	bool is_text = !is_json || item.ptr[0] == '"';

	if (is_json && is_text)
		item = json_text(json_value_at(item.ptr), &text);
	cut_middle(item, SHOWN_BYTES, &shown);
	if (is_text)
		quote_add(out, buf_str(&shown), str_find(buf_str(&shown), STR(", ")) != NULL);
	else
		buf_add_str(out, buf_str(&shown));
	buf_free(&text);
	buf_free(&shown);
}

static void
write_line(const struct fact_list *list, unsigned which, struct buf *out)
{
	unsigned first = list->count > SHOWN_MAX ? list->count - SHOWN_MAX : 0;
	uint64_t others = total(list) - (list->count - first);

	if (total(list) == 0)
		return;
	buf_add_fmt(out, "\n%s: ", lists[which].title);
	for (unsigned i = first; i < list->count; i++) {
		if (i > first)
			buf_add_str(out, STR(", "));
		write_shown(list->item[i], lists[which].is_json, out);
	}
	if (others > 0) {
		buf_add_str(out, list->count > 0 ? STR(" and ") : STR(""));
		number_write_grouped(out, others);
		buf_add_str(out, STR(" more"));
	}
}

void
facts_write_text(const struct facts *facts, struct buf *buf)
{
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		write_line(&facts->list[i], i, buf);
}

static void
put_list(const struct fact_list *list, unsigned which, struct json_writer *w)
{
	uint64_t more = total(list) - list->count;

	json_name(w, lists[which].name);
	json_open(w, '[');
	for (unsigned i = 0; i < list->count; i++) {
		if (lists[which].is_json)
			json_put_raw(w, list->item[i]);
		else
			json_put_string(w, list->item[i]);
	}
	json_close(w);
	if (more > 0)
		json_member_integer(w, lists[which].more, (int64_t)more);
}

void
facts_write_lists(const struct facts *facts, struct json_writer *w)
{
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		put_list(&facts->list[i], i, w);
}

void
facts_read_request(const struct facts *facts, const struct session *t, struct json_value from,
    uint32_t *first, uint32_t *newest)
{
	struct json_value request = json_find(from, STR("request"));
	uint64_t place[2] = {0, 0};
	struct json_walk walk;

	json_walk_open(&walk, request);
	for (unsigned i = 0; i < 2 && request.type == JSON_ARRAY && json_walk_next(&walk); i++)
		place[i] = (uint64_t)json_integer(walk.value, 0);
	*first = *newest = NONE;
	for (uint32_t i = 0; i < t->count && place[0] > 0; i++) {
		if (facts->number[i] == NONE)
			continue;
		if (facts->place[facts->number[i]].place >= place[0] && *first == NONE)
			*first = i;
		if (facts->place[facts->number[i]].place == place[1])
			*newest = i;
	}
}

static void
put_place(const struct facts *facts, uint32_t entry, struct json_writer *w)
{
	if (facts->number[entry] != NONE)
		json_put_integer(w, (int64_t)facts->place[facts->number[entry]].place);
}

void
facts_write_request(
    const struct facts *facts, uint32_t first, uint32_t newest, struct json_writer *w)
{
	if (first >= newest)
		return;
	json_name(w, STR("request"));
	json_open(w, '[');
	put_place(facts, first, w);
	put_place(facts, newest, w);
	json_close(w);
}

void
facts_write_covers(const struct facts *facts, struct json_writer *w)
{
	struct range_writer ranges = {.w = w};

	json_name(w, STR("covers"));
	json_open(w, '[');
	add_ranges(facts, &ranges);
	json_close(w);
}
