#include "dialects/otel/otel_span.h"

#include "json/nested.h"
#include "json/string.h"
#include "json/write.h"

static const struct attribute {
	struct str name;
	const struct row *inside;
} attributes[] = {
    {STR_INIT("gen_ai.system_instructions"), otel_instructions},
    {STR_INIT("gen_ai.input.messages"), otel_messages},
    {STR_INIT("gen_ai.output.messages"), otel_messages},
};

enum { ATTRIBUTES = ARRAY_COUNT(attributes) };

static const struct row said[] = {{".:string", ROW_TEXT, .content = "."}, {0}};

static const struct row calls[] = {
    {"function.name:string", ROW_CALL, .id = "id", .name = "function.name",
	.arguments = "function.arguments", .known = "id type function"},
    {0},
};

#define MESSAGE ROW_MESSAGE, .content = "content"

static const struct row system_event[] = {{NULL, MESSAGE, .role = "'system'"}, {0}};
static const struct row user_event[] = {{NULL, MESSAGE, .role = "'user'"}, {0}};
static const struct row_piece answer[] = {{"content", said}, {"tool_calls", calls}, {NULL}};
static const struct row assistant_event[] = {
    {NULL, ROW_MESSAGE, .role = "'assistant'", .pieces = answer}, {0}};
static const struct row tool_event[] = {{NULL, ROW_RESULT, .id = "id", .content = "content"}, {0}};
static const struct row choice_event[] = {
    {"message:object", ROW_INSIDE, .content = "message", .inside = assistant_event},
    {NULL, ROW_INSIDE, .content = ".", .inside = assistant_event},
    {0},
};

static const struct attribute events[] = {
    {STR_INIT("gen_ai.system.message"), system_event},
    {STR_INIT("gen_ai.user.message"), user_event},
    {STR_INIT("gen_ai.assistant.message"), assistant_event},
    {STR_INIT("gen_ai.tool.message"), tool_event},
    {STR_INIT("gen_ai.choice"), choice_event},
};

enum { EVENTS = ARRAY_COUNT(events) };

/* The attribute of that name. Names have dots, so that a path cannot express them. A record without
 * attributes has them as its members; in a list of OTLP, the value is an AnyValue. */
static struct json_value
find_attribute(struct json_value record, struct str name)
{
	struct json_value all = json_find(record, STR("attributes"));

	for (struct json_walk walk = json_walk_list(all); json_walk_next(&walk);)
		if (json_is(json_find(walk.value, STR("key")), name))
			return json_find(walk.value, STR("value"));
	return json_find(all.type == JSON_OBJECT ? all : record, name);
}

/* The member of an AnyValue of OTLP, or the value itself. */
static struct json_value
unwrap(struct json_value value, struct str name)
{
	struct json_value inside = json_find(value, name);

	return inside.type != JSON_ABSENT ? inside : value;
}

/* Whether the text is an integer of JSON. */
static bool
is_integer(struct str text)
{
	size_t at = text.len > 0 && text.ptr[0] == '-';

	if (text.len - at != 1 && (text.len == at || text.ptr[at] == '0'))
		return false;
	while (at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9')
		at++;
	return at == text.len;
}

static void put_any(struct json_writer *w, struct json_value any, unsigned depth);

/* Writes the values of an ArrayValue, or of a KeyValueList, of OTLP. */
static void
put_values(struct json_writer *w, struct json_value of, bool is_object, unsigned depth)
{
	json_open(w, is_object ? '{' : '[');
	for (struct json_walk walk = json_walk_list(json_find(of, STR("values")));
	     json_walk_next(&walk);) {
		struct json_value key = json_find(walk.value, STR("key"));

		if (!is_object) {
			put_any(w, walk.value, depth + 1);
		} else if (key.type == JSON_STRING) {
			json_name(w, json_inner(key));
			put_any(w, json_find(walk.value, STR("value")), depth + 1);
		}
	}
	json_close(w);
}

/* Writes the value of an AnyValue of OTLP (opentelemetry/proto/common/v1/common.proto), whose
 * integers are strings. Values that are nested too deep become null. */
static void
put_any(struct json_writer *w, struct json_value any, unsigned depth)
{
	enum { DEPTH = 60 };
	struct json_walk walk = json_walk_members(any);

	if (!json_walk_next(&walk) || depth == DEPTH)
		json_put_raw(w, STR("null"));
	else if (json_is(walk.name, STR("kvlistValue")))
		put_values(w, walk.value, true, depth);
	else if (json_is(walk.name, STR("arrayValue")))
		put_values(w, walk.value, false, depth);
	else if (json_is(walk.name, STR("intValue")) && walk.value.type == JSON_STRING &&
	    is_integer(json_inner(walk.value)))
		json_put_raw(w, json_inner(walk.value));
	else
		json_put_value(w, walk.value);
}

/* Whether the value is a list, which may be JSON in a string, or spelled as in OTLP. */
static bool
is_list(struct json_value value)
{
	value = unwrap(unwrap(value, STR("stringValue")), STR("arrayValue"));
	if (value.type == JSON_STRING)
		return str_has_prefix(json_inner(value), STR("["));
	return value.type == JSON_ARRAY || json_find(value, STR("values")).type == JSON_ARRAY;
}

/* The value of the attribute. Memory for it is in text and arena. */
static struct json_value
open_value(struct json_value value, struct buf *text, struct arena *arena)
{
	struct json_writer w;

	value = unwrap(value, STR("stringValue"));
	if (value.type == JSON_STRING) {
		struct json_value inside = json_nested_line(value, arena);

		return inside.type == JSON_ARRAY || inside.type == JSON_OBJECT ? inside : value;
	}
	if (!json_has(value, STR("arrayValue")) && !json_has(value, STR("kvlistValue")))
		return value;
	buf_reset(text);
	json_writer_init(&w, text);
	put_any(&w, value, 0);
	return json_written_whole(text);
}

static bool
has_messages(struct json_value record)
{
	for (size_t i = 0; i < ATTRIBUTES; i++)
		if (is_list(find_attribute(record, attributes[i].name)))
			return true;
	return false;
}

/* The event with the name of the record; or NULL. */
static const struct attribute *
find_event(struct json_value record)
{
	static const struct str names[] = {
	    STR_INIT("eventName"), STR_INIT("event_name"), STR_INIT("name")};
	struct json_value name =
	    unwrap(find_attribute(record, STR("event.name")), STR("stringValue"));

	for (size_t i = 0; i < ARRAY_COUNT(names) && name.type != JSON_STRING; i++)
		name = json_find(record, names[i]);
	for (size_t i = 0; i < EVENTS && name.type == JSON_STRING; i++)
		if (json_is(name, events[i].name))
			return &events[i];
	return NULL;
}

/* Whether the record has one of the members by which a span or an event is recognized. Most records
 * of other formats have none, and are looked through but once. */
static bool
may_be(struct json_value record)
{
	static const struct str names[] = {STR_INIT("attributes"), STR_INIT("events"),
	    STR_INIT("gen_ai.system_instructions"), STR_INIT("gen_ai.input.messages"),
	    STR_INIT("gen_ai.output.messages"), STR_INIT("event.name"), STR_INIT("eventName"),
	    STR_INIT("event_name"), STR_INIT("name")};

	for (struct json_walk walk = json_walk_members(record); json_walk_next(&walk);)
		if (JSON_IS_ONE_OF(walk.name, names))
			return true;
	return false;
}

bool
otel_span_is(struct json_value record)
{
	return may_be(record) &&
	    (has_messages(record) || find_event(record) != NULL ||
		find_event(json_first(json_find(record, STR("events")))) != NULL);
}

/* Reads the message of the event: in its body, or in its attributes, or in the event itself. */
static bool
read_event(struct row_reader *reader, struct row_place *place, struct json_value record)
{
	const struct attribute *event = find_event(record);
	struct json_value body = json_find(record, STR("body"));
	struct arena arena = ARENA_INIT;
	struct buf text = BUF_INIT;
	bool is_read;

	if (event == NULL)
		return false;
	body = open_value(body, &text, &arena);
	if (body.type != JSON_OBJECT)
		body = json_find(record, STR("attributes"));
	is_read =
	    row_reader_read(reader, place, event->inside, body.type == JSON_OBJECT ? body : record);
	arena_free(&arena);
	buf_free(&text);
	return is_read;
}

bool
otel_span_read(struct row_reader *reader, struct row_place *place)
{
	struct arena arena = ARENA_INIT;
	struct buf text = BUF_INIT;
	bool is_read = false;

	for (size_t i = 0; i < ATTRIBUTES; i++) {
		struct json_value value =
		    open_value(find_attribute(place->value, attributes[i].name), &text, &arena);

		if (value.type == JSON_ARRAY)
			is_read |= row_reader_read(reader, place, attributes[i].inside, value);
	}
	arena_free(&arena);
	buf_free(&text);
	if (is_read || read_event(reader, place, place->value))
		return true;
	for (struct json_walk walk = json_walk_list(json_find(place->value, STR("events")));
	     json_walk_next(&walk);)
		is_read |= read_event(reader, place, walk.value);
	return is_read;
}
