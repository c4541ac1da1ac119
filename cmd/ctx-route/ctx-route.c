/*
 * ctx-route puts step output into the log: it writes each message with the metadata that it lacks.
 * It holds tool name and section of each open call; with --separate-trace, the last text of the
 * assistant until its fate is known; with --ephemeral, the running execution from its first trace.
 */
#include "context.h"
#include "routing.h"

struct options {
	struct common_options common;
	const char *execution;
	bool separate_trace;
	bool ephemeral;
	bool next_execution;
	struct option_list resolve;
	const char *system_prompt;
	const char *response_format;
	struct option_list context;
};

static const struct option table[] = {
    {"execution", 0, "ID", "the execution of all messages that have none (#0, #1, ...)",
	OPTION_STRING, offsetof(struct options, execution), NULL, 0},
    {"separate-trace", 0, NULL, "trace goes to section execution_buffer", OPTION_FLAG,
	offsetof(struct options, separate_trace), NULL, 0},
    {"ephemeral", 0, NULL, "separate trace, and drop it when its execution is over", OPTION_FLAG,
	offsetof(struct options, ephemeral), NULL, 0},
    {"next-execution", 0, NULL, "drop all that is in section execution_buffer", OPTION_FLAG,
	offsetof(struct options, next_execution), NULL, 0},
    {"resolve", 0, "ID", "mark the failure of this call or message as resolved", OPTION_LIST,
	offsetof(struct options, resolve), NULL, 0},
    {"system-prompt", 0, "FILE", "the system prompt of the context record", OPTION_FILE,
	offsetof(struct options, system_prompt), NULL, 0},
    {"response-format", 0, "FILE", "the response format of the context record, an object",
	OPTION_FILE, offsetof(struct options, response_format), NULL, 0},
    {"context", 0, "KEY=VALUE", "a member of the context record's metadata", OPTION_LIST,
	offsetof(struct options, context), NULL, 0},
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-route", "[option]... [file]...",
    "Put step output into the log.", table};

struct state {
	struct routing routing;
	struct context context;
	bool has_begun; /* the first record was seen, or the context in front of it */
};

/* Writes the context that the options give, behind a byte order mark that stood in its verdict. */
static void
add_context(struct state *state, struct str mark)
{
	struct buf *text = &state->routing.text;

	buf_reset(text);
	buf_add_str(text, mark);
	context_write(&state->context, text);
	filter_add(&state->routing.filter, buf_str(text));
}

/* The first record is the context, or has it in front. */
static void
begin(struct state *state)
{
	const struct filter *filter = &state->routing.filter;
	struct line *line = &state->routing.filter.line;
	size_t before = (size_t)(line->text.ptr - line->raw.ptr);

	if (state->has_begun || filter->message.kind == RECORD_BLANK)
		return;
	state->has_begun = true;
	if (!state->context.is_given || filter->message.kind == RECORD_CONTEXT)
		return;
	add_context(state, str_of(line->raw.ptr, before));
	line->raw = str_of(line->text.ptr, line->raw.len - before);
}

static void
take_context(struct state *state)
{
	struct routing *routing = &state->routing;
	bool is_changed;

	buf_reset(&routing->text);
	is_changed = context_merge(&state->context, &routing->filter.message,
	    routing->filter.line.text, &routing->text);
	routing_put(routing, is_changed ? &routing->text : NULL);
}

static void
take(struct state *state)
{
	begin(state);
	switch (state->routing.filter.message.kind) {
	case RECORD_MESSAGE:
		routing_take(&state->routing);
		break;
	case RECORD_CONTEXT:
		take_context(state);
		break;
	default:
		routing_put(&state->routing, NULL);
	}
}

static void
end(struct state *state)
{
	if (!state->has_begun && state->context.is_given)
		add_context(state, STR(""));
	routing_end(&state->routing);
}

static void
start(struct state *state, const struct options *options, char *const *operand, int count)
{
	struct routing *routing = &state->routing;

	context_init(&state->context, options->system_prompt, options->response_format,
	    &options->context);
	filter_open(&routing->filter, &options->common, operand, count);
	route_init(&routing->route);
	hold_init(&routing->hold);
	if (options->execution != NULL)
		route_set_execution(&routing->route, str_from(options->execution));
	routing->route.separate_trace = options->separate_trace || options->ephemeral;
	routing->is_ephemeral = options->ephemeral && !options->next_execution; /* drops more */
	routing->drops_buffers = options->next_execution;
	routing->resolve = &options->resolve;
}

static int
parse_options(struct options *options, int argc, char **argv)
{
	int first = options_parse(&command, argc, argv, options);

	if (options->execution != NULL && options->execution[0] == '\0')
		options_fail("bad value '' of --execution, expected an id");
	return first;
}

int
main(int argc, char **argv)
{
	struct options options = {0};
	struct state state = {0};
	int first = parse_options(&options, argc, argv);
	int status;

	start(&state, &options, argv + first, argc - first);
	while (filter_next(&state.routing.filter))
		take(&state);
	end(&state);
	status = filter_close(&state.routing.filter);
	context_free(&state.context);
	routing_free(&state.routing);
	return status;
}
