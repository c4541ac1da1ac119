/*
 * ctx-route puts step output into the log: it writes each message with the metadata that it lacks.
 * It remembers the tool name and the section of each open call. With --separate-trace, it holds the
 * assistant's last text until the fate of that text is known. With --resolve, it holds the named
 * calls until they have their results, or their execution is over. With --ephemeral, it holds the
 * running execution from its first trace on. With --set, it holds messages until it is certain
 * which rules hold for them. With --overflow and --clear, it holds the session. With --append it
 * also writes the log.
 */
#include "../commands.h"
#include "base/file.h"
#include "face/input/files.h"
#include "face/choices/hold.h"
#include "face/choices/limits.h"
#include "face/sessions/sessions.h"
#include "log.h"
#include "opened_context.h"
#include "route_stage.h"
#include "metadata_rules.h"
#include "sections.h"

struct options {
	struct common_options common;
	const char *execution;
	const char *log;
	const char *append;
	bool repair;
	bool separate_trace;
	bool ephemeral;
	bool next_execution;
	struct option_list resolve;
	const char *file[CONTEXT_MEMBERS];
	struct option_list context;
	struct option_sequence rules;
	struct size hold;
	struct size overflow;
	struct option_list clear;
	struct estimator_options estimator;
};

static const struct option table[] = {
    OPTIONS_UNDER("The execution and its trace"),
    {"execution", 0, "ID", "the execution of all messages that have none", OPTION_STRING,
	offsetof(struct options, execution)},
    {"separate-trace", 0, NULL, "trace goes to section execution_buffer", OPTION_FLAG,
	offsetof(struct options, separate_trace)},
    {"ephemeral", 0, NULL, "separate trace, and drop it when its execution is over", OPTION_FLAG,
	offsetof(struct options, ephemeral)},
    {"next-execution", 0, NULL, "drop all that is trace or in section execution_buffer",
	OPTION_FLAG, offsetof(struct options, next_execution)},
    {"resolve", 0, "ID", "mark the failure of this call or message as resolved", OPTION_LIST,
	offsetof(struct options, resolve)},
    OPTIONS_UNDER("The log that is continued"),
    {"log", 0, "FILE", "continue the log in FILE, which is only read", OPTION_STRING,
	offsetof(struct options, log), .flags = OPTION_OWN_PROCESS,
	.not_with = "session-key overflow clear"},
    {"append", 0, "LOG", "continue LOG, append to it durably, then write to standard output",
	OPTION_STRING, offsetof(struct options, append), .flags = OPTION_OWN_PROCESS,
	.not_with = "session-key overflow clear"},
    {"repair", 0, NULL, "move a torn last line of the --append to LOG.torn", OPTION_FLAG,
	offsetof(struct options, repair), .flags = OPTION_OWN_PROCESS, .requires = "append"},
    OPTIONS_UNDER("The context record"),
    {"system-prompt", 0, "FILE", "the system prompt of the context record", OPTION_FILE,
	offsetof(struct options, file[CONTEXT_PROMPT])},
    {"tools", 0, "FILE", "the tools of the context record, an array", OPTION_FILE,
	offsetof(struct options, file[CONTEXT_TOOLS])},
    {"response-format", 0, "FILE", "the response format of the context record, an object",
	OPTION_FILE, offsetof(struct options, file[CONTEXT_FORMAT])},
    {"context", 0, "KEY=VALUE", "a member of the context record's metadata; KEY= removes it",
	OPTION_LIST, offsetof(struct options, context)},
    OPTIONS_UNDER("Rules and sections"),
    {"set", 0, "KEY=VALUE", "metadata of the messages that --where selects; KEY= removes it",
	OPTION_SEQUENCE, offsetof(struct options, rules)},
    {"where", 0, "SELECTOR", "the messages that the --set before it is for; again: or these",
	OPTION_SEQUENCE, offsetof(struct options, rules)},
    {"overflow", 0, "SIZE",
	"move the oldest of section messages over 4k, 20msgs or 8turns to buffer", OPTION_MOST,
	offsetof(struct options, overflow)},
    {"clear", 0, "NAME", "drop the section of that name", OPTION_LIST,
	offsetof(struct options, clear)},
    OPTION_HOLD(options),
    OPTIONS_UNDER("Counting"),
    OPTIONS_MESSAGE_ESTIMATOR(OPTION_ROW, options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

/* The state that all sessions share, and the sums for the report. */
struct ctx_route {
	struct options options;
	struct run *run;
	struct context context;
	bool needs_tokens;
	bool has_opening; /* a context is given, or a log that may have one is continued */
	bool has_rules;
	struct estimator estimator;
	struct json_edit edit; /* of all routing stages */
	uint64_t resolved;     /* a bit for each --resolve that named a failure */
	uint64_t dropped;
	uint64_t given_up;
	struct sections_sums sums;
};

/* The stages of one session. As there may be very many sessions, the struct ends with the last
 * stage in use. */
struct routed {
	struct route_stage routing;
	struct opened_context opening;
	struct metadata_rules rules;
	struct sections sections;
};

static bool
has_sections(const struct ctx_route *all)
{
	return sections_are_asked(all->options.overflow, &all->options.clear);
}

static size_t
session_size(const void *self)
{
	const struct ctx_route *all = self;

	if (has_sections(all))
		return sizeof(struct routed);
	if (all->has_rules)
		return offsetof(struct routed, sections);
	return all->has_opening ? offsetof(struct routed, rules) : offsetof(struct routed, opening);
}

static void
open_routing(struct routed *routed, struct ctx_route *all)
{
	struct route_stage *routing = &routed->routing;
	const struct options *options = &all->options;

	route_stage_init(routing, &all->edit);
	routing->rules = all->has_rules ? &routed->rules : NULL;
	run_set_walk(&routing->route.walk, &options->common);
	routing->route.writes_sections = options->separate_trace || options->ephemeral;
	/* --next-execution drops messages of the buffer, whether sections are written or not. */
	routing->route.separate_trace = routing->route.writes_sections || options->next_execution;
	/* --next-execution drops more than --ephemeral. */
	routing->is_ephemeral = options->ephemeral && !options->next_execution;
	routing->drops_buffers = options->next_execution;
	routing->resolve = &options->resolve;
	if (options->execution != NULL)
		route_set_execution(&routing->route, str_from(options->execution));
}

static void
open_session(void *self, void *session, struct stage **stages)
{
	struct ctx_route *all = self;
	struct routed *routed = session;
	const struct options *options = &all->options;

	if (has_sections(all))
		sections_init(&routed->sections, options->overflow, &options->clear,
		    &all->estimator, &options->common);
	if (options->overflow.unit != SIZE_UNSET)
		*stages++ = &routed->sections.original.stage;
	if (all->has_opening) {
		opened_context_init(&routed->opening, &all->context);
		*stages++ = &routed->opening.stage;
	}
	if (all->has_rules) {
		metadata_rules_init(&routed->rules, &options->rules);
		routed->rules.window.limit = options->hold;
		run_set_session(&routed->rules.window.held.session, NULL, &options->common);
		metadata_rules_set_estimator(&routed->rules, &all->estimator);
		*stages++ = &routed->rules.window.held.stage;
	}
	open_routing(routed, all);
	*stages++ = &routed->routing.stage;
	if (has_sections(all))
		*stages++ = &routed->sections.held.stage;
}

static void
finish_session(void *self, void *session)
{
	struct ctx_route *all = self;
	struct routed *routed = session;

	if (fault_is_set(&all->run->fault))
		return;
	all->resolved |= routed->routing.resolved;
	if (!has_sections(all) || routed->sections.fits)
		all->dropped += routed->routing.dropped;
	if (all->has_rules)
		all->given_up += routed->rules.window.given_up;
	if (has_sections(all))
		sections_finish(&routed->sections, all->run, &all->sums);
}

static void
free_session(void *self, void *session)
{
	struct ctx_route *all = self;
	struct routed *routed = session;

	route_stage_free(&routed->routing);
	if (all->has_opening)
		opened_context_free(&routed->opening);
	if (all->has_rules)
		metadata_rules_free(&routed->rules);
	if (has_sections(all))
		sections_free(&routed->sections);
}

/* A session that continues a log. */
static void
continue_log(struct ctx_route *all)
{
	const struct options *options = &all->options;
	struct stage *stages[SESSIONS_STAGES] = {NULL};
	struct run *run = all->run;
	struct routed routed = {.rules = {.count = 0}};
	struct log log;

	open_session(all, &routed, stages);
	if (options->append != NULL) {
		log_open(&log, options->append, options->repair, run, &routed.opening,
		    &routed.rules, &routed.routing);
		log_run(&log, stages);
		log_close(&log);
	} else {
		log_read(options->log, run, &routed.opening, &routed.rules, &routed.routing);
		if (!fault_is_set(&run->fault))
			run_chain(run, stages);
	}
	finish_session(all, &routed);
	free_session(all, &routed);
}

static bool
continues(void *self)
{
	struct ctx_route *all = self;

	if (all->options.append == NULL && all->options.log == NULL)
		return false;
	continue_log(all);
	return true;
}

/* Names the ids of --resolve that are no failure's, and adds the command's members to the
 * report. */
static void
finish(void *self)
{
	struct ctx_route *all = self;
	const struct options *options = &all->options;
	struct json_writer *members = &all->run->members;

	if (fault_is_set(&all->run->fault))
		return;
	for (unsigned i = 0; i < options->resolve.count; i++) {
		if (all->resolved >> i & 1)
			continue;
		diag_warn("no failure has the id '%s'", options->resolve.item[i]);
		run_fail(all->run, STATUS_NO);
	}
	json_member_integer(members, STR("dropped"), (int64_t)all->dropped);
	hold_report(all->run, options->hold, all->given_up);
	if (options->clear.count > 0)
		json_member_integer(members, STR("cleared"), (int64_t)all->sums.cleared);
	if (options->overflow.unit != SIZE_UNSET)
		json_member_integer(members, STR("moved"), (int64_t)all->sums.moved);
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_route *all = self;
	int first = options_parse(&route_command, argc, argv, &all->options);
	struct metadata_rules rules;

	if (all->options.execution != NULL && all->options.execution[0] == '\0')
		options_fail("bad value '' of --execution, expected an id");
	if (all->options.log != NULL && file_is_stdin(all->options.log))
		options_fail("bad value '-' of --log, expected a file");
	if (all->options.append != NULL && file_is_stdin(all->options.append))
		options_fail("bad value '-' of --append, expected a file");
	if (all->options.append != NULL && all->options.log != NULL &&
	    !files_are_same(all->options.append, all->options.log))
		options_fail("--append cannot be combined with --log of another file");
	sections_check(&all->options.clear);
	context_init(&all->context, all->options.file, &all->options.context);
	/* Read here, so that faults in them are reported before anything is opened. */
	metadata_rules_init(&rules, &all->options.rules);
	all->needs_tokens = rules.needs_tokens;
	all->has_rules = rules.count > 0;
	metadata_rules_free(&rules);
	return first;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_route *all = self;

	all->run = run;
	all->has_opening =
	    all->context.is_given || all->options.append != NULL || all->options.log != NULL;
	limits_open_for_messages(&all->estimator,
	    all->needs_tokens || all->options.overflow.unit == SIZE_PLAIN, &all->options.estimator,
	    &all->options.common, &run->fault);
}

static void
free_all(void *self)
{
	struct ctx_route *all = self;

	context_free(&all->context);
	json_edit_free(&all->edit);
	estimator_close(&all->estimator);
}

static const char *const essential[] = {"execution", "separate-trace", "ephemeral", "resolve",
    "log", "append", "system-prompt", "tools", NULL};

const struct command route_command = {.name = "ctx-route",
    .synopsis = "[option]... [file]...",
    .purpose = "Put step output into the log.",
    .kind = COMMAND_FILTER,
    .options = table,
    .essential = essential,
    .examples = {"ctx-route --execution e7 step.jsonl >>log.jsonl",
	"ctx-route --separate-trace log.jsonl"},
    .statuses = {0, 1, 64, 65, 66, 69, 71, 73, 74, 78},
    .no = "no failure has the id of a --resolve, or --overflow does not fit",
    .run = {.size = sizeof(struct ctx_route),
	.parse = parse,
	.open = open_run,
	.whole = continues,
	.finish = finish,
	.free = free_all},
    .session = {.size_of = session_size,
	.stages = open_session,
	.finish = finish_session,
	.free = free_session,
	/* The log is continued as it is: forgotten messages stay in it. */
	.forgets = COMMAND_FORGOTTEN_STAY}};
