#include "policy/budget/breakdown.h"

#include <stdlib.h>

#include "base/bounded.h"
#include "base/list.h"
#include "base/text/text.h"
#include "data/message/timestamp.h"
#include "data/tool/tools.h"
#include "json/string.h"

enum { TARGET_COLUMNS = 60 }; /* bytes of a path or a command that are shown */

const char *const breakdown_keys[] = {"role", "tool", "kind", "section", "turn", "execution",
    "session", "agent", "day", "model", "message", NULL};

bool
breakdown_has_all(const struct breakdown *breakdown)
{
	return breakdown->key >= BREAKDOWN_SESSION && breakdown->key <= BREAKDOWN_MODEL;
}

void
breakdown_init(struct breakdown *breakdown, enum breakdown_key key)
{
	*breakdown = (struct breakdown){.key = key};
}

void
breakdown_free(struct breakdown *breakdown)
{
	free(breakdown->row);
	map_free(&breakdown->by_label);
	buf_free(&breakdown->session);
	buf_free(&breakdown->label);
	buf_free(&breakdown->scratch);
	free(breakdown->use);
	arena_free(&breakdown->arguments);
	arena_free(&breakdown->arena);
}

static struct breakdown_row *
add_row(struct breakdown *breakdown, struct str label)
{
	struct breakdown_row *row;

	LIST_ROOM(breakdown->row, breakdown->count, breakdown->cap);
	row = &breakdown->row[breakdown->count];
	*row = (struct breakdown_row){
	    .label = arena_copy(&breakdown->arena, label), .number = breakdown->count++};
	return row;
}

/* Finds the row of a label, or adds one. */
static struct breakdown_row *
find_row(struct breakdown *breakdown, struct str label)
{
	struct hash key = hash_label(label);
	uint64_t index = map_get(&breakdown->by_label, key);

	if (index != MAP_NONE)
		return &breakdown->row[index];
	map_set(&breakdown->by_label, key, breakdown->count);
	return add_row(breakdown, label);
}

static struct str
said(struct breakdown *breakdown, const struct message *message, enum metadata_name name,
    struct str otherwise)
{
	if (message->meta[name].type == JSON_STRING)
		return json_text(message->meta[name], &breakdown->scratch);
	return otherwise;
}

/* The row of the call that a result answers; NULL: there is none. */
static struct breakdown_row *
noted_row(struct breakdown *breakdown, const struct verdict *verdict)
{
	return verdict->note > 0 ? &breakdown->row[verdict->note - 1] : NULL;
}

/* Notes the row of a call for its result. */
static void
note_row(struct walk *walk, uint32_t call, const struct breakdown_row *row)
{
	walk_note(walk, call, (uint64_t)row->number + 1);
}

/* Finds the row of the tool of the message's first call, or of the call that a result answers. */
static struct breakdown_row *
find_tool(struct breakdown *breakdown, const struct message *message, struct walk *walk,
    const struct verdict *verdict)
{
	struct breakdown_row *row = noted_row(breakdown, verdict);
	size_t first = 0;

	for (uint32_t i = 0; i < verdict->calls; i++) {
		struct json_value name = walk->call[i].name;

		row = find_row(breakdown,
		    name.type == JSON_STRING ? json_text(name, &breakdown->scratch) : STR(""));
		note_row(walk, i, row);
		first = i == 0 ? row->number : first;
	}
	if (verdict->calls > 0)
		return &breakdown->row[first];
	return row != NULL ?
	    row :
	    find_row(breakdown, said(breakdown, message, METADATA_TOOL_NAME, STR("-")));
}

/* A result has the section of its call. */
static struct breakdown_row *
find_section(struct breakdown *breakdown, const struct message *message, struct walk *walk,
    const struct verdict *verdict)
{
	struct breakdown_row *row = noted_row(breakdown, verdict);

	if (row == NULL)
		row = find_row(breakdown, message_section(message, &breakdown->scratch));
	for (uint32_t i = 0; i < verdict->calls; i++)
		note_row(walk, i, row);
	return row;
}

/* A record without a session belongs to the session of the record before it. */
static struct breakdown_row *
find_session(struct breakdown *breakdown, const struct message *message)
{
	struct str id = said(breakdown, message, METADATA_SESSION_ID, STR(""));

	if (id.len > 0) {
		buf_set(&breakdown->session, id);
	}
	return find_row(
	    breakdown, breakdown->session.len > 0 ? buf_str(&breakdown->session) : STR("-"));
}

static struct breakdown_row *
find_day(struct breakdown *breakdown, const struct message *message)
{
	struct buf *day = &breakdown->scratch;

	buf_reset(day);
	if (!timestamp_add_day(timestamp_read(message->meta[METADATA_TIMESTAMP]), day))
		return find_row(breakdown, STR("-"));
	return find_row(breakdown, buf_str(day));
}

/* The model that made the message. Messages of other roles have none. */
static struct breakdown_row *
find_model(struct breakdown *breakdown, const struct message *message)
{
	struct json_value model = message_model(message);

	return find_row(breakdown,
	    model.type == JSON_STRING ? json_text(model, &breakdown->scratch) : STR("-"));
}

/* The tool of a call and the first line of its target, or as much of that as can be shown. */
static struct str
use_of(struct breakdown *breakdown, const struct tool_call *call)
{
	struct tool_arguments arguments;
	struct buf *text = &breakdown->scratch;
	struct tool_use use;
	struct str name;

	buf_reset(text);
	if (call->name.type == JSON_STRING)
		json_decode(call->name, text);
	name = arena_copy(&breakdown->arena, buf_str(text));
	tool_arguments(call->arguments, &breakdown->arguments, &arguments);
	tool_classify(name, &arguments, &breakdown->arguments, &use);
	buf_reset(text);
	text_add_visible(text, str_first_line(use.target));
	use.target = text_fit(buf_str(text), TARGET_COLUMNS);
	if (use.target.len == 0)
		return name;
	buf_set(&breakdown->label, name);
	buf_add_char(&breakdown->label, ' ');
	buf_add_str(&breakdown->label, use.target);
	return arena_copy(&breakdown->arena, buf_str(&breakdown->label));
}

/* Appends the calls of the message, or the call that it answers. */
static void
add_uses(struct breakdown *breakdown, const struct message *message, const struct verdict *verdict,
    struct buf *label)
{
	struct str tool = verdict->note > 0 ? breakdown->use[verdict->note - 1] :
					      said(breakdown, message, METADATA_TOOL_NAME, STR(""));

	if (message->role == ROLE_TOOL && tool.len > 0) {
		buf_add_char(label, ' ');
		buf_add_str(label, tool);
	}
	for (uint32_t i = 0; i < verdict->calls; i++) {
		buf_add_str(label, i > 0 ? STR(", ") : STR(" "));
		buf_add_str(label, breakdown->use[breakdown->use_count - verdict->calls + i]);
	}
}

/* The label of a message: its line, its role, and the tools and targets of its calls. */
static struct breakdown_row *
find_message(struct breakdown *breakdown, const struct message *message, struct walk *walk,
    const struct verdict *verdict, size_t line)
{
	struct buf label = BUF_INIT;
	struct breakdown_row *row;

	for (uint32_t i = 0; i < verdict->calls; i++) {
		LIST_ADD(breakdown->use, breakdown->use_count, breakdown->use_cap,
		    use_of(breakdown, &walk->call[i]));
		walk_note(walk, i, breakdown->use_count);
		arena_reset(&breakdown->arguments);
	}
	buf_add_fmt(&label, "%zu ", line);
	json_decode(message->role_value, &label);
	add_uses(breakdown, message, verdict, &label);
	row = add_row(breakdown, buf_str(&label));
	buf_free(&label);
	return row;
}

static struct breakdown_row *
row_of(struct breakdown *breakdown, const struct message *message, struct walk *walk,
    const struct verdict *verdict, size_t line)
{
	switch (breakdown->key) {
	case BREAKDOWN_ROLE:
		return find_row(breakdown, json_text(message->role_value, &breakdown->scratch));
	case BREAKDOWN_TOOL:
		return find_tool(breakdown, message, walk, verdict);
	case BREAKDOWN_KIND:
		return find_row(breakdown,
		    said(breakdown, message, METADATA_KIND, origin_name(verdict->origin)));
	case BREAKDOWN_SECTION:
		return find_section(breakdown, message, walk, verdict);
	case BREAKDOWN_TURN:
		buf_reset(&breakdown->scratch);
		buf_add_fmt(&breakdown->scratch, "%ju", (uintmax_t)verdict->turn);
		return find_row(breakdown, buf_str(&breakdown->scratch));
	case BREAKDOWN_EXECUTION:
		return find_row(breakdown, walk_execution_id(walk));
	case BREAKDOWN_SESSION:
		return find_session(breakdown, message);
	case BREAKDOWN_AGENT:
		return find_row(breakdown, said(breakdown, message, METADATA_AGENT_ID, STR("-")));
	case BREAKDOWN_DAY:
		return find_day(breakdown, message);
	case BREAKDOWN_MODEL:
		return find_model(breakdown, message);
	default:
		return find_message(breakdown, message, walk, verdict, line);
	}
}

void
breakdown_add(struct breakdown *breakdown, const struct message *message, struct walk *walk,
    const struct verdict *verdict, size_t line, uint64_t tokens)
{
	struct breakdown_row *row;

	if (breakdown->key == BREAKDOWN_NONE)
		return;
	row = row_of(breakdown, message, walk, verdict, line);
	row->messages++;
	row->tokens = bounded_add(row->tokens, tokens);
	breakdown->tokens = bounded_add(breakdown->tokens, tokens);
}

static int
by_tokens(const void *a, const void *b)
{
	const struct breakdown_row *x = a, *y = b;

	if (x->tokens != y->tokens)
		return x->tokens < y->tokens ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static int
by_day(const void *a, const void *b)
{
	const struct breakdown_row *x = a, *y = b;
	size_t len = x->label.len < y->label.len ? x->label.len : y->label.len;
	int order = memcmp(x->label.ptr, y->label.ptr, len);

	return order != 0 ? order : (x->label.len > y->label.len) - (x->label.len < y->label.len);
}

void
breakdown_sort(struct breakdown *breakdown, uint64_t top)
{
	bool in_order = breakdown->key == BREAKDOWN_TURN || breakdown->key == BREAKDOWN_EXECUTION ||
	    breakdown->key == BREAKDOWN_MESSAGE;

	if (breakdown->key == BREAKDOWN_DAY && top == 0 && breakdown->count > 0)
		qsort(breakdown->row, breakdown->count, sizeof *breakdown->row, by_day);
	else if ((!in_order || top > 0) && breakdown->count > 0)
		qsort(breakdown->row, breakdown->count, sizeof *breakdown->row, by_tokens);
	if (top > 0 && breakdown->count > top)
		breakdown->count = (size_t)top;
}
