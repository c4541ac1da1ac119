/*
 * Sessions of opencode, as "opencode export" writes them: a document, the list
 * of its messages, or a message a line; and streams of its events (opencode_events.h).
 *
 *     {"info":{"id":…},"messages":[{"info":{"role":…,…},"parts":[…]},…]}
 *
 * A call and its result are one part. A compaction is a part of the user's message, and the answer
 * to it is the summary: messages before that one are no longer sent.
 */

#include <stdlib.h>

#include "dialects/opencode/opencode_events.h"
#include "dialects/load/load_forms.h"
#include "dialects/rows/row_reader.h"
#include "dialects/session_file/session_forms.h"
#include "json/string.h"
#include "json/write.h"

/*
 * The order of an opencode session's messages: by time.created, and with equal times by id, as its
 * database sorts them, whatever the order of the file.
 */

struct place {
	int64_t created;
	struct str id; /* JSON: ids are plain words */
	struct json_value message;
};

static int
compare(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->created != b->created)
		return a->created < b->created ? -1 : 1;
	return str_compare(a->id, b->id);
}

/* Puts the list of messages in their order. Returns false, and puts nothing, when they are in order
 * already, or when one of them has no time or no id. */
static bool
opencode_order_write(struct json_value messages, struct json_writer *w)
{
	struct buf places = BUF_INIT;
	struct place *list;
	size_t count;
	bool is_told = true, is_moved = false;

	for (struct json_walk walk = json_walk_of(messages); is_told && json_walk_next(&walk);) {
		struct json_value info = json_find(walk.value, STR("info"));
		struct json_value id = json_find(info, STR("id"));
		struct place place = {
		    json_integer(json_find(json_find(info, STR("time")), STR("created")), -1),
		    json_span(id), walk.value};

		is_told = place.created >= 0 && id.type == JSON_STRING;
		if (is_told && places.len > 0)
			is_moved |= compare(places.ptr + places.len - sizeof place, &place) > 0;
		buf_add(&places, &place, sizeof place);
	}
	if (is_told && is_moved) {
		list = (struct place *)(void *)places.ptr;
		count = places.len / sizeof *list;
		qsort(list, count, sizeof *list, compare);
		json_open(w, '[');
		for (size_t i = 0; i < count; i++)
			json_put_value(w, list[i].message);
		json_close(w);
	}
	buf_free(&places);
	return is_told && is_moved;
}

enum variable { SESSION, TAIL };

static const char *const variables[] = {"session", "tail", "agent", "caller", NULL};

static const struct row_member carried[] = {{"session_id", "info.sessionID|sessionID|%session"},
    {"agent_id", "%agent"}, {"parent_execution_id", "%caller"},
    {"timestamp", "info.time.created|state.time.end"}, {NULL}};

static const struct row_member answered[] = {
    {"model", "info.modelID"}, {"usage", "info.tokens"}, {NULL}};

/* The user's message is the client's, if all its texts are. */
static bool
note_synthetic(struct row_reader *reader, struct row_place *place)
{
	unsigned texts = 0, synthetic = 0;

	for (struct json_walk walk = json_walk_of(json_find(place->value, STR("parts")));
	     json_walk_next(&walk);) {
		if (!json_has_type(walk.value, STR("text")))
			continue;
		texts++;
		synthetic += json_find(walk.value, STR("synthetic")).type == JSON_TRUE;
	}
	if (texts > 0 && texts == synthetic)
		draft_meta_string(reader->open->draft, STR("origin"), STR("injected"));
	return true;
}

/* Notes the message from which on the compaction keeps the earlier messages. */
static bool
note_tail(struct row_reader *reader, struct row_place *place)
{
	row_reader_set(reader, TAIL, json_find(place->value, STR("tail_start_id")));
	return true;
}

/* The output of a call, which a prune took out of the context. */
static bool
add_pruned(struct row_reader *reader, struct row_place *place)
{
	static const char cleared[] = "\"[Old tool result content cleared]\"";
	struct json_value output = {.ptr = cleared, .len = sizeof cleared - 1, .type = JSON_STRING};

	if (reader->reading->all)
		output = json_find(json_find(place->value, STR("state")), STR("output"));
	else
		draft_meta(reader->open->draft, STR("compacted"), STR("true"));
	draft_add_content(reader->open->draft, output);
	return true;
}

#define IDS "id sessionID messageID time"

static const struct row files[] = {
    {"type=file mime^image/ url:string", ROW_IMAGE, .content = "url",
	.known = "type mime url " IDS},
    {0},
};

#define RESULT .make = ROW_RESULT, .id = "callID", .within = "state"

static const struct row_piece output[] = {
    {"state.output", NULL}, {"state.attachments", files}, {NULL}};

/* Of a state that no version has. */
static const struct row_piece whatever[] = {
    {"state.output", NULL}, {"state.error", NULL}, {"state.attachments", files}, {NULL}};

static const struct row results[] = {
    {"state.status=completed state.time.compacted", RESULT, .content = "none",
	.known = "status input output time attachments", .also = add_pruned},
    {"state.status=completed", RESULT, .pieces = output,
	.known = "status input output time attachments"},
    {"state.status=error", RESULT, .content = "state.error", .error = "",
	.known = "status input error time"},
    {"state.status=pending|running", RESULT, .content = "'[Tool execution was interrupted]'",
	.error = "", .known = "status input time"},
    {"state:text", RESULT, .content = "state"},
    {"state.output|state.error|state.attachments", RESULT, .pieces = whatever,
	.error = "state.error", .known = "input output error time attachments"},
    {0},
};

static const struct row parts[] = {
    {"type=text ignored:true", ROW_SKIP, .name = "'ignored text'"},
    {"type=text text:string", ROW_TEXT, .content = "text", .known = "type text " IDS},
    {"type=reasoning text:string", ROW_THINKING, .content = "text", .known = "type text " IDS},
    {"type=tool", ROW_CALL, .id = "callID", .name = "tool", .arguments = "state.input",
	.inside = results, .known = "type callID tool state " IDS},
    {"type=file mime^image/ url:string", ROW_IMAGE, .content = "url",
	.known = "type mime url " IDS},
    {"type=file mime=text/plain|application/x-directory", ROW_SKIP, .name = "'text file'"},
    {"type=compaction", ROW_TEXT, .content = "'What did we do so far?'", .also = note_tail},
    {"type=subtask", ROW_TEXT, .content = "'The following tool was executed by the user'",
	.known = "type " IDS},
    {"type=step-start", ROW_BREAK},
    {"type=step-finish|snapshot|patch|agent|retry", ROW_SKIP},
    {0},
};

#define MESSAGE \
	.role = "info.role", .id = "info.id", .content = "parts", .inside = parts, .within = "info"

#define KNOWN "id sessionID role time modelID tokens"

static const struct row messages[] = {
    {"info.role=user parts:array", ROW_MESSAGE, MESSAGE, .known = KNOWN, .also = note_synthetic},
    {"info.role=assistant info.summary:true info.finish !info.error parts:array", ROW_SUMMARY,
	MESSAGE, .known = KNOWN, .keeps = "%tail", .asked = "info.parentID"},
    {"info.role=assistant parts:array", ROW_MESSAGE, MESSAGE, .known = KNOWN,
	.left = "info.error !info.error.name=MessageAbortedError"},
    {0},
};

/* Messages that the user took back, until there is a new question. */
static const struct row reverted[] = {
    {"messageID !partID", ROW_ALSO, .verb = ROW_HISTORY_DROP_KNOWN, .at = "messageID"},
    {NULL, ROW_ALSO},
    {0},
};

static const struct row_piece session[] = {
    {"messages", messages}, {"info.revert", reverted}, {NULL}};

static const struct row lists[] = {{NULL, ROW_INSIDE, .content = ".", .inside = messages}, {0}};
static const struct row documents[] = {{NULL, ROW_INSIDE, .pieces = session}, {0}};

/* Reads the messages of a list, or of a document, in their order. */
static bool
read_session(struct row_reader *reader, struct row_place *place)
{
	bool is_list = place->value.type == JSON_ARRAY, is_understood;
	struct json_value list = is_list ? place->value : json_find(place->value, STR("messages"));
	struct buf text = BUF_INIT;
	struct json_value value = place->value;
	struct json_writer w;

	json_writer_init(&w, &text);
	if (!is_list) {
		json_open(&w, '{');
		json_member_value(&w, STR("info"), json_find(value, STR("info")));
		json_name(&w, STR("messages"));
	}
	if (opencode_order_write(list, &w)) {
		if (!is_list)
			json_close(&w);
		value = json_written(&text, 0);
	}
	is_understood = row_reader_read(reader, place, is_list ? lists : documents, value);
	buf_free(&text);
	return is_understood;
}

static bool read_events(struct row_reader *reader, struct row_place *place);

static const struct row records[] = {
    {"messages:array caller", ROW_ALSO, .also = read_session, .begins = true, .id = "info.id",
	.sets = ROW_MEMBERS({"session", "info.id"}, {"agent", "info.id"}, {"caller", "caller"})},
    {"messages:array !type", ROW_ALSO, .also = read_session, .begins = true, .id = "info.id",
	.sets = ROW_MEMBERS({"session", "info.id"})},
    {".:array .[].properties", ROW_ALSO, .also = read_events},
    {".:array", ROW_ALSO, .also = read_session},
    {"info.role parts:array", ROW_INSIDE, .content = ".", .inside = messages},
    {0},
};

static bool
read_events(struct row_reader *reader, struct row_place *place)
{
	struct opencode_events *events =
	    opencode_events_read(place->value, reader->reading->skipped);
	struct buf text = BUF_INIT;

	while (opencode_events_next(events, &text))
		row_reader_read(reader, place, records, json_value_at(text.ptr));
	buf_free(&text);
	opencode_events_free(events);
	return true;
}

static const struct row_dialect opencode = {.dialect = &opencode_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_opencode",
    .variables = variables};

const struct dialect opencode_dialect = {.name = "opencode",
    .version = "info.version|version",
    .rows = &opencode,
    .writer = session_forms_opencode,
    .is_session = true,
    .load = &load_forms_opencode};
