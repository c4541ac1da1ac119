#include "dialects/acp/acp_calls.h"

#include "json/string.h"

#define KNOWN \
	"sessionUpdate toolCallId status content rawInput rawOutput name kind title capabilities"

static const struct row said_calls[] = {
    {NULL, ROW_CALL, .id = "toolCallId", .name = "%tool", .arguments = "%input", .known = KNOWN},
    {0},
};

static const struct row outputs[] = {
    {"type=content content.type=text content.text:string", ROW_TEXT, .content = "content.text",
	.known = "type content"},
    {"type=content content.type=image content.mimeType:string", ROW_IMAGE,
	.content = "content.data", .media = "content.mimeType", .known = "type content"},
    {0},
};

static const struct row raw[] = {{NULL, ROW_TEXT, .content = "."}, {0}};

/* The result has the id of its call, but does not replace it. */
#define RESULT \
	ROW_RESULT, .id = "toolCallId", .record = "none", .error = "status=failed|cancelled", \
		    .success = "status=completed", .known = KNOWN

static const struct row results[] = {
    {"%content", RESULT, .content = "%content", .inside = outputs},
    {NULL, RESULT, .content = "%output", .inside = raw},
    {0},
};

static void
swap(struct buf *a, struct buf *b)
{
	struct buf other = *a;

	*a = *b;
	*b = other;
}

/* Swaps the values of the call with the variables of the reader: the first call lends them, the
 * second one takes them back. */
static void
lend(struct row_reader *reader, struct acp_call *call)
{
	swap(&reader->variable[ACP_SESSION], &call->session);
	swap(&reader->variable[ACP_TOOL], &call->tool);
	swap(&reader->variable[ACP_INPUT], &call->input);
	swap(&reader->variable[ACP_OUTPUT], &call->output);
}

static void
send(struct row_reader *reader, struct row_place *place, struct acp_call *call)
{
	if (call->first.len == 0)
		return;
	lend(reader, call);
	row_reader_read(reader, place, said_calls, json_value_at(call->first.ptr));
	lend(reader, call);
	buf_reset(&call->first);
}

/* Emits the result, and keeps only that the call has ended. */
static void
send_result(struct row_reader *reader, struct row_place *place, struct acp_call *call)
{
	struct buf *content = &reader->variable[ACP_CONTENT];

	buf_reset(content);
	if (call->content.len > 0) {
		buf_add_fmt(content, "[%.*s]", STR_ARG(buf_str(&call->content)));
		buf_pad(content);
	}
	lend(reader, call);
	row_reader_read(reader, place, results, place->value);
	lend(reader, call);
	buf_reset(content);
	buf_reset(&call->tool);
	buf_reset(&call->input);
	buf_reset(&call->output);
	buf_reset(&call->content);
}

bool
acp_calls_send(struct row_reader *reader, struct row_place *place)
{
	struct acp_calls *calls = reader->state;

	for (unsigned i = 0; i < calls->count; i++)
		send(reader, place, &calls->call[i]);
	return true;
}

/* Copies the value into the buffer, unless it is absent or null. */
static void
keep(struct buf *buf, struct json_value value)
{
	if (value.type <= JSON_NULL)
		return;
	buf_reset(buf);
	buf_add_str(buf, json_span(value));
	buf_pad(buf);
}

/* Makes room for a call: the first call that has ended, or else the first call, is forgotten. */
static void
make_room(struct row_reader *reader, struct row_place *place, struct acp_calls *calls)
{
	struct acp_call left;
	unsigned at = 0;

	while (at < calls->count && calls->call[at].tool.len > 0)
		at++;
	at = at < calls->count ? at : 0;
	send(reader, place, &calls->call[at]);
	left = calls->call[at];
	memmove(&calls->call[at], &calls->call[at + 1],
	    (calls->count - at - 1) * sizeof calls->call[0]);
	calls->call[--calls->count] = left;
}

/* The call of the update; an unknown call begins. */
static struct acp_call *
find(struct row_reader *reader, struct row_place *place, struct acp_calls *calls)
{
	struct json_value id = json_find(place->value, STR("toolCallId"));
	struct str session = buf_str(&reader->variable[ACP_SESSION]);
	struct acp_call *call;

	for (unsigned i = calls->count; i-- > 0;)
		if (str_eq(buf_str(&calls->call[i].id), json_span(id)) &&
		    str_eq(buf_str(&calls->call[i].session), session))
			return &calls->call[i];
	if (calls->count == ACP_CALLS)
		make_room(reader, place, calls);
	call = &calls->call[calls->count++];
	keep(&call->id, id);
	keep(&call->first, place->value);
	buf_set(&call->session, session);
	buf_pad(&call->session);
	buf_set(&call->tool, STR("\"other\""));
	buf_pad(&call->tool);
	buf_reset(&call->input);
	buf_reset(&call->output);
	buf_reset(&call->content);
	call->is_named = false;
	return call;
}

static void
keep_name(struct acp_call *call, struct json_value value)
{
	struct json_value name = json_find(value, STR("name"));
	struct json_value kind = json_find(value, STR("kind"));

	if (name.type != JSON_STRING)
		name = member_path_find(value, STR("_meta.claudeCode.toolName"));
	if (name.type == JSON_STRING)
		keep(&call->tool, name);
	else if (!call->is_named)
		keep(&call->tool, kind.type == JSON_STRING ? kind : json_find(value, STR("title")));
	call->is_named |= name.type == JSON_STRING;
}

/* A list of elements replaces all earlier elements; a single element is appended. */
static void
keep_content(struct acp_call *call, struct json_value content)
{
	if (content.type == JSON_ARRAY) {
		buf_set(&call->content, str_of(content.ptr + 1, content.len - 2u));
		if (!json_has_elements(content))
			buf_reset(&call->content);
	} else if (content.type == JSON_OBJECT) {
		if (call->content.len > 0)
			buf_add_char(&call->content, ',');
		buf_add_str(&call->content, json_span(content));
	}
}

bool
acp_calls_update(struct row_reader *reader, struct row_place *place)
{
	struct acp_calls *calls = reader->state;
	struct acp_call *call = find(reader, place, calls);
	struct json_value status = json_find(place->value, STR("status"));

	if (call->tool.len == 0) {
		tally_add(reader->reading->skipped, STR("update of a call that ended"));
		return true;
	}
	keep_name(call, place->value);
	keep(&call->input, json_find(place->value, STR("rawInput")));
	keep(&call->output, json_find(place->value, STR("rawOutput")));
	keep_content(call, json_find(place->value, STR("content")));
	if (!json_is(status, STR("completed")) && !json_is(status, STR("failed")) &&
	    !json_is(status, STR("cancelled")))
		return true;
	for (unsigned i = 0; i < calls->count; i++)
		if (&calls->call[i] == call || calls->call[i].input.len > 0)
			send(reader, place, &calls->call[i]);
	send_result(reader, place, call);
	return true;
}

void
acp_calls_reset(struct acp_calls *calls)
{
	calls->count = 0;
}

void
acp_calls_free(void *state)
{
	struct acp_calls *calls = state;

	for (unsigned i = 0; i < ACP_CALLS; i++) {
		struct acp_call *call = &calls->call[i];

		buf_free(&call->id);
		buf_free(&call->session);
		buf_free(&call->first);
		buf_free(&call->tool);
		buf_free(&call->input);
		buf_free(&call->output);
		buf_free(&call->content);
	}
}
