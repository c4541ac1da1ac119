/*
 * Traces of Langfuse, one document each, whose inputs and outputs are messages of an API or of a
 * library, as JSON or as JSON in strings.
 *
 *     {"trace":{"id":…,"sessionId":…,"input":…,"output":…},"observations":[observation,…]}
 *     {"id":…,"projectId":…,"input":…,"output":…,"observations":[…]}
 *     {"type":"GENERATION","startTime":…,"input":…,"output":…}       an observation
 *
 * The conversation is the first of these that the trace has: an output that is a state with
 * messages; an input and an output that are messages; the input and output of the newest
 * generation; an input and an output that are texts, of the user and of the assistant.
 */

#include "dialects/envelope/envelope.h"
#include "json/nested.h"
#include "json/write.h"

/* The input or the output of a trace or an observation. */
struct side {
	struct json_value value;
	const struct dialect *dialect; /* of its messages; NULL: it has none */
};

struct exchange {
	struct side input, output;
};

/* The value, or the JSON value in its string, which may be a string with JSON again. Text stays a
 * string. */
static struct json_value
unfold(struct json_value value, struct arena *arena)
{
	enum { STRINGS = 2 };
	struct json_value inside = json_absent;

	for (unsigned i = 0; i < STRINGS && value.type == JSON_STRING; i++) {
		inside = json_nested_line(value, arena);
		if (inside.type == JSON_STRING || inside.type == JSON_OBJECT ||
		    inside.type == JSON_ARRAY)
			value = inside;
	}
	inside = json_find(value, STR("message"));
	return inside.type == JSON_OBJECT ? inside : value;
}

static struct side
read_side(struct json_value value, struct arena *arena)
{
	struct side side = {.value = unfold(value, arena)};

	if (side.value.type == JSON_OBJECT || side.value.type == JSON_ARRAY)
		side.dialect = envelope_find(side.value);
	return side;
}

static struct exchange
read_exchange(struct json_value of, struct arena *arena)
{
	return (struct exchange){read_side(json_find(of, STR("input")), arena),
	    read_side(json_find(of, STR("output")), arena)};
}

/* Whether the side has messages, or is a text. */
static bool
speaks(const struct side *side)
{
	return side->dialect != NULL || (side->value.type == JSON_STRING && side->value.len > 2);
}

/* Of the generations whose input is messages, the one that began last; or absent. */
static struct json_value
find_newest(struct json_value observations, struct arena *arena)
{
	struct json_value newest = json_absent, latest = json_absent;

	for (struct json_walk walk = json_walk_list(observations); json_walk_next(&walk);) {
		struct json_value start = json_find(walk.value, STR("startTime"));

		if (!json_has_type(walk.value, STR("GENERATION")) || start.type != JSON_STRING ||
		    (latest.type == JSON_STRING &&
			str_compare(json_inner(start), json_inner(latest)) <= 0))
			continue;
		if (read_side(json_find(walk.value, STR("input")), arena).dialect != NULL) {
			newest = walk.value;
			latest = start;
		}
	}
	return newest;
}

/* The conversation. Its input or its output may be absent. */
static struct exchange
find_exchange(struct json_value trace, struct json_value observations, struct arena *arena)
{
	struct exchange of_trace = read_exchange(trace, arena);
	struct json_value newest;

	if (of_trace.output.dialect != NULL &&
	    json_find(of_trace.output.value, STR("messages")).type == JSON_ARRAY) {
		of_trace.input = (struct side){.value = json_absent};
		return of_trace;
	}
	newest = find_newest(observations, arena);
	if (newest.type == JSON_OBJECT &&
	    (of_trace.input.dialect == NULL || of_trace.output.dialect == NULL))
		return read_exchange(newest, arena);
	return of_trace;
}

/* Emits messages, or a text as a message of that role. */
static void
emit_side(
    struct envelope *envelope, const struct record *record, struct side side, const char *role)
{
	struct buf text = BUF_INIT;

	if (side.dialect == NULL && speaks(&side)) {
		buf_add_fmt(&text, "{\"role\":\"%s\",\"content\":", role);
		buf_add_str(&text, json_span(side.value));
		buf_add_char(&text, '}');
		buf_pad(&text);
		side.value = json_written_whole(&text);
		side.dialect = envelope_find(side.value);
	}
	if (side.dialect != NULL)
		envelope_read(envelope, record, side.dialect, json_span(side.value));
	buf_free(&text);
}

/* The trace in the record, or absent. */
static struct json_value
find_trace(struct json_value record)
{
	struct json_value trace = json_absent;

	if (json_find(record, STR("observations")).type != JSON_ARRAY)
		return trace;
	trace = json_find(record, STR("trace"));
	if (trace.type != JSON_OBJECT && json_find(record, STR("projectId")).type == JSON_STRING)
		trace = record;
	if (json_find(trace, STR("id")).type != JSON_STRING)
		trace.type = JSON_ABSENT;
	return trace;
}

static bool
read_trace(struct envelope *envelope, const struct record *record)
{
	struct json_value value = record->message->value, trace = find_trace(value);
	struct json_value id = json_find(trace, STR("sessionId"));
	struct arena arena = ARENA_INIT;
	struct exchange exchange =
	    find_exchange(trace, json_find(value, STR("observations")), &arena);
	bool is_read = speaks(&exchange.input) || speaks(&exchange.output);

	if (is_read) {
		if (id.type != JSON_STRING)
			id = json_find(trace, STR("id"));
		envelope_begin(envelope, id);
		emit_side(envelope, record, exchange.input, "user");
		emit_side(envelope, record, exchange.output, "assistant");
	}
	arena_free(&arena);
	return is_read;
}

static enum dialect_sign
sign(struct json_value record)
{
	return record.type == JSON_OBJECT && find_trace(record).type == JSON_OBJECT ?
	    DIALECT_SIGN_CERTAIN :
	    DIALECT_SIGN_NONE;
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	return envelope_reader(&langfuse_dialect, reading, read_trace);
}

const struct dialect langfuse_dialect = {.name = "langfuse", .sign = sign, .reader = reader};
