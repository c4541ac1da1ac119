#include "policy/compact/facts.h"

#include "base/number.h"
#include "base/text.h"
#include "json/text.h"
#include "policy/cut.h"
#include "policy/quote.h"

enum { SHOWN_BYTES = 200 }; /* the most of a thing that the text shows */

static const struct {
	const char *title;
	struct str name; /* of the member that lists the things */
	bool is_json;
} lists[FACTS_LISTS] = {
    [FACTS_READ] = {"Files read", STR_INIT("files_read"), false},
    [FACTS_MODIFIED] = {"Files modified", STR_INIT("files_modified"), false},
    [FACTS_UNRESOLVED] = {"Unresolved", STR_INIT("unresolved"), true},
};

/* Which lists the room of the text goes to first. */
static const unsigned first_shown[FACTS_LISTS] = {FACTS_UNRESOLVED, FACTS_MODIFIED, FACTS_READ};

void
facts_open(struct facts *facts)
{
	*facts = (struct facts){.dropped = 0};
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		facts->list[i].is_json = lists[i].is_json;
}

void
facts_close(struct facts *facts)
{
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		things_free(&facts->list[i]);
	tried_free(&facts->tried);
	places_free(&facts->places);
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
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		things_read(&facts->list[i], json_find(from, lists[i].name));
	tried_read(&facts->tried, json_find(from, STR("attempts")));
}

void
facts_add_artifact(struct facts *facts, struct json_value from)
{
	add_summary(facts, from);
	places_read(&facts->places, json_find(from, STR("covers")));
}

static void
add_written(void *context, struct str path)
{
	struct facts *facts = context;

	things_add(&facts->list[FACTS_MODIFIED], path);
}

/* Adds the files that a call touched which did target by the operation. */
static void
add_use(struct facts *facts, enum tool_op op, struct str target)
{
	struct arena scratch = ARENA_INIT;

	switch (op) {
	case TOOL_READ:
		things_add(&facts->list[FACTS_READ], target);
		break;
	case TOOL_WRITE:
	case TOOL_EDIT:
		things_add(&facts->list[FACTS_MODIFIED], target);
		break;
	case TOOL_SHELL:
		tool_shell_writes(target, &scratch, add_written, facts);
		break;
	case TOOL_OTHER:
		break;
	}
	arena_free(&scratch);
}

/* Merges the facts that a trace artifact has of one call. */
static void
add_trace_call(struct facts *facts, struct json_value from)
{
	struct json_value target = json_find(from, STR("target"));
	struct buf text = BUF_INIT;

	if (target.type == JSON_STRING && json_is(json_find(from, STR("outcome")), STR("ok")))
		add_use(facts, tool_op_of(json_find(from, STR("op"))), json_text(target, &text));
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
add_call(
    struct facts *facts, const struct session *t, const struct attempts *attempts, uint32_t index)
{
	const struct call *call = &t->call[index];

	tried_add(&facts->tried, t, attempts, index);
	if (call->result != NONE && !t->entry[call->result].is_error)
		add_use(facts, call->use.op, call->use.target);
}

void
facts_add(
    struct facts *facts, const struct session *t, const struct attempts *attempts, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	facts->dropped++;
	places_drop(&facts->places, index);
	if (entry->is_summary)
		add_summary(facts, facts_of(entry));
	else if (entry->is_artifact)
		add_trace(facts, facts_of(entry));
	if (!entry->has_calls)
		return;
	for (uint32_t i = 0; i < t->group[entry->group].calls; i++)
		add_call(facts, t, attempts, t->group[entry->group].first_call + i);
}

/* A thing in its visible form, cut if it is long. A JSON string becomes its text; other JSON stays
 * JSON. */
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
		text_add_visible(out, buf_str(&shown));
	buf_free(&text);
	buf_free(&shown);
}

/* What of a list the text names: the newest things, from item first on. */
struct shown {
	uint32_t first;
	uint32_t count;
};

/* Takes the newest things of a list whose names fit into *room bytes, and takes these bytes off. */
static struct shown
choose(const struct things *list, size_t *room)
{
	struct shown shown = {list->used, 0};
	struct buf name = BUF_INIT;

	for (uint32_t i = list->used; i-- > 0;) {
		if (list->item[i].len == 0)
			continue;
		buf_reset(&name);
		write_shown(list->item[i], list->is_json, &name);
		if (name.len + strlen(", ") > *room)
			break;
		*room -= name.len + strlen(", ");
		shown.first = i;
		shown.count++;
	}
	buf_free(&name);
	return shown;
}

static void
write_line(const struct things *list, const char *title, struct shown shown, struct buf *out)
{
	const char *before = "";

	buf_add_fmt(out, "\n%s: ", title);
	for (uint32_t i = shown.first; i < list->used; i++) {
		if (list->item[i].len == 0)
			continue;
		buf_add_str(out, str_from(before));
		write_shown(list->item[i], list->is_json, out);
		before = ", ";
	}
	if (shown.count == list->count)
		return;
	buf_add_str(out, shown.count > 0 ? STR(" and ") : STR(""));
	number_write_grouped(out, list->count - shown.count);
	buf_add_str(out, STR(" more"));
}

/* Whether the text names the call: several attempts are gone, and no success ended them. */
static bool
is_told(const struct tried_call *item)
{
	return item->count > 1 && !str_eq(item->outcome, STR("ok"));
}

/* "10 of bash make test (the last failed)" */
static void
write_attempts(const struct tried_call *item, struct buf *out)
{
	number_write_grouped(out, item->count);
	buf_add_str(out, STR(" of "));
	quote_add(out, item->call, str_find(item->call, STR(", ")) != NULL);
	buf_add_str(out,
	    str_eq(item->outcome, STR("error")) ? STR(" (the last failed)") :
						  STR(" (the last has no result)"));
}

/* Names the newest of these calls, as many as there is room for. */
static void
write_tried(const struct tried *tried, size_t room, struct buf *out)
{
	struct buf text = BUF_INIT;
	uint32_t first = tried->count;
	const char *before = "\nAttempts: ";

	while (first > 0 && text.len <= room) {
		buf_add_str(&text, STR(", "));
		if (is_told(&tried->item[--first]))
			write_attempts(&tried->item[first], &text);
	}
	first += text.len > room;
	for (; first < tried->count; first++) {
		if (!is_told(&tried->item[first]))
			continue;
		buf_add_str(out, str_from(before));
		write_attempts(&tried->item[first], out);
		before = ", ";
	}
	buf_free(&text);
}

void
facts_write_text(const struct facts *facts, size_t room, struct buf *buf)
{
	struct shown shown[FACTS_LISTS];

	if (room == 0)
		return;
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		shown[first_shown[i]] = choose(&facts->list[first_shown[i]], &room);
	for (unsigned i = 0; i < FACTS_LISTS; i++)
		if (facts->list[i].count > 0)
			write_line(&facts->list[i], lists[i].title, shown[i], buf);
	write_tried(&facts->tried, room, buf);
}

void
facts_write_lists(const struct facts *facts, bool measured, struct json_writer *w)
{
	static const struct things none = {.count = 0};
	static const struct tried none_tried = {.count = 0};

	for (unsigned i = 0; i < FACTS_LISTS; i++) {
		json_name(w, lists[i].name);
		things_write(measured ? &none : &facts->list[i], w);
	}
	if (facts->tried.count == 0)
		return;
	json_name(w, STR("attempts"));
	tried_write(measured ? &none_tried : &facts->tried, w);
}

size_t
facts_len(const struct facts *facts)
{
	size_t len = facts->places.len + facts->tried.json_len;

	for (unsigned i = 0; i < FACTS_LISTS; i++)
		len += facts->list[i].json_len;
	return len;
}

/* Reads the places in the member "request" as entries. */
static void
read_request(const struct places *places, const struct session *t, struct json_value request,
    struct keep_request *to)
{
	uint64_t place[2] = {0, 0};
	struct json_walk walk;

	json_walk_open(&walk, request);
	for (unsigned i = 0; i < 2 && request.type == JSON_ARRAY && json_walk_next(&walk); i++)
		place[i] = (uint64_t)json_integer(walk.value, 0);
	for (uint32_t i = 0; i < t->count && place[0] > 0; i++) {
		uint64_t at = places_of(places, i);

		if (at >= place[0] && to->first == NONE)
			to->first = i;
		if (at > 0 && at == place[1])
			to->newest = i;
	}
}

struct keep_request
facts_request(const struct session *t, uint32_t artifact)
{
	struct keep_request request = {NONE, NONE};
	struct places places = {.count = 0};
	struct json_value from;

	if (artifact == NONE)
		return request;
	from = facts_of(&t->entry[artifact]);
	places_read(&places, json_find(from, STR("covers")));
	places_begin(&places, t, artifact);
	read_request(&places, t, json_find(from, STR("request")), &request);
	places_free(&places);
	return request;
}

uint64_t
facts_framing(const struct session *t, uint32_t artifact)
{
	uint64_t count;

	if (artifact == NONE)
		return FRAMING_ANY;
	count = count_of(facts_of(&t->entry[artifact]), STR("framing"));
	return count > 0 ? count : 1;
}

void
facts_write_framing(uint64_t count, struct json_writer *w)
{
	if (count > 1)
		json_member_integer(w, STR("framing"), (int64_t)count);
}

void
facts_write_request(
    const struct facts *facts, uint32_t first, uint32_t newest, struct json_writer *w)
{
	if (first >= newest)
		return;
	json_name(w, STR("request"));
	json_open(w, '[');
	json_put_integer(w, (int64_t)places_of(&facts->places, first));
	json_put_integer(w, (int64_t)places_of(&facts->places, newest));
	json_close(w);
}
