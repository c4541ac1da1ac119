/*
 * ctx-project writes a view of the log. It holds the records that are not decided yet: an answer,
 * the running execution, what follows an open failure; with --last and --sections the session.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "data/held.h"
#include "face/hold.h"
#include "face/limits.h"
#include "policy/agent_view.h"
#include "policy/conversation.h"
#include "policy/reasoning.h"

enum { SECTIONS_MAX = 64 };

struct options {
	struct common_options common;
	int view;
	int trace;
	bool trace_given;
	const char *execution;
	const char *agent;
	const char *sections;
	struct size last;
	struct size hold;
	struct estimator_options estimator;
};

static const char *const views[] = {"reasoning", "conversation", "all", "trace", NULL};
static const char *const traces[] = {"current", "all", "none", NULL};

static const struct option table[] = {
    {"view", 0, "VIEW", "reasoning (default), conversation, all or trace", OPTION_CHOICE,
	offsetof(struct options, view), views, 0},
    {"trace", 0, "WHICH", "trace in the reasoning view: current (default), all or none",
	OPTION_CHOICE, offsetof(struct options, trace), traces,
	offsetof(struct options, trace_given)},
    {"execution", 0, "ID", "the current execution: auto (default), last, none or an id",
	OPTION_STRING, offsetof(struct options, execution), NULL, 0},
    {"agent", 0, "ID", "an agent's view", OPTION_STRING, offsetof(struct options, agent), NULL, 0},
    {"sections", 0, "LIST", "only these sections, in this order", OPTION_STRING,
	offsetof(struct options, sections), NULL, 0},
    {"last", 0, "SIZE", "the newest that fit: 20msgs, 8turns or 4k tokens", OPTION_LAST,
	offsetof(struct options, last), NULL, 0},
    {"messages", 'n', "N", "the newest N messages: --last Nmsgs", OPTION_MESSAGES,
	offsetof(struct options, last), NULL, 0},
    OPTION_HOLD(options),
    OPTIONS_ESTIMATOR(options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-project", "[option]... [file]...",
    "Write a view of the log.", table,
    {"ctx-project --view conversation log.jsonl", "ctx-project --last 20msgs log.jsonl"},
    {0, 64, 65, 66, 69, 71, 73, 74, 78}, NULL};

/* The views that hold the session, as a stage. */
struct projection {
	struct held held;
	const struct options *options;
	struct estimator estimator; /* open where --last is given */
	struct str section[SECTIONS_MAX];
	unsigned section_count;
	bool is_empty; /* no message is in the sections */
};

static bool
has_section(struct session *session, struct str name)
{
	for (uint32_t i = 0; i < session->count; i++)
		if (session->entry[i].kind == RECORD_MESSAGE &&
		    str_eq(session_section(session, &session->entry[i]), name))
			return true;
	return false;
}

/* Names the sections that no message is in; that says why the view is empty. */
static void
say_unknown_sections(struct run *run, struct projection *projection)
{
	struct buf names = BUF_INIT;

	for (unsigned i = 0; i < projection->section_count; i++) {
		struct str name = projection->section[i];

		if (!has_section(&projection->held.session, name))
			buf_add_fmt(&names, "%s'%.*s'", names.len > 0 ? ", " : "", STR_ARG(name));
	}
	run->selects &= names.len == 0;
	if (names.len > 0)
		diag_warn("no message is in section %.*s", STR_ARG(buf_str(&names)));
	buf_free(&names);
}

static void
emit_sections(struct projection *view)
{
	struct session *session = &view->held.session;
	uint32_t *order = mem_alloc(session->count, sizeof *order);
	uint32_t all = view_sections(session, view->section, view->section_count, order);

	view->is_empty = session->message_count > 0;
	for (uint32_t i = 0; i < all; i++) {
		view->is_empty &= session->entry[order[i]].kind != RECORD_MESSAGE;
		held_emit(&view->held, order[i]);
	}
	free(order);
}

static void
end(struct stage *stage)
{
	struct projection *projection = (struct projection *)stage;
	const struct options *options = projection->options;
	struct session *session = &projection->held.session;
	struct size last = options->last;

	session_end(session);
	view_apply(session, (enum view)options->view, (enum view_trace)options->trace);
	if (last.unit != SIZE_UNSET) {
		limits_fit(&projection->estimator, &options->estimator, session);
		if (last.unit == SIZE_PLAIN)
			last.value = estimate_count(&projection->estimator, last.value);
		view_last(session, last, &projection->estimator);
	}
	if (fault_is_set(stage->fault))
		return;
	if (options->sections != NULL)
		emit_sections(projection);
	else
		held_emit_all(&projection->held);
}

static unsigned
split_list(const char *list, struct str *names)
{
	unsigned count = 0;

	for (const char *p = list; *p != '\0';) {
		size_t len = strcspn(p, ",");

		if (count == SECTIONS_MAX)
			options_fail("more than %d names in --sections", SECTIONS_MAX);
		if (len > 0)
			names[count++] = str_of(p, len);
		p += len + (p[len] == ',');
	}
	return count;
}

static void
project_held(struct run *run, const struct options *options)
{
	struct projection projection = {.options = options};

	held_init(&projection.held, end);
	if (options->sections != NULL)
		projection.section_count = split_list(options->sections, projection.section);
	if (options->agent != NULL)
		walk_set_agent(&projection.held.session.walk, str_from(options->agent));
	run_set_session(&projection.held.session, options->execution, &options->common);
	if (options->last.unit != SIZE_UNSET) {
		limits_open_estimator(&projection.estimator, &options->estimator, &run->fault);
		limits_check_outputs(&projection.estimator, &options->common);
	}
	run_chain(run, (struct stage *[]){&projection.held.stage, NULL});
	if (projection.is_empty && !fault_is_set(&run->fault))
		say_unknown_sections(run, &projection);
	if (options->last.unit != SIZE_UNSET)
		estimator_close(&projection.estimator);
	held_free(&projection.held);
}

static void
project_reasoning(struct run *run, const struct options *options)
{
	struct reasoning reasoning;
	struct session *session = &reasoning.window.held.session;

	reasoning_init(&reasoning, (enum view_trace)options->trace);
	reasoning.window.limit = options->hold;
	if (options->agent != NULL)
		walk_set_agent(&session->walk, str_from(options->agent));
	run_set_session(session, options->execution, &options->common);
	run_chain(run, (struct stage *[]){&reasoning.window.held.stage, NULL});
	hold_report(run, &reasoning.window);
	reasoning_free(&reasoning);
}

static void
project_conversation(struct run *run, const struct options *options)
{
	struct conversation conversation;

	conversation_init(&conversation, options->agent);
	run_set_walk(&conversation.walk, &options->common);
	run_chain(run, (struct stage *[]){&conversation.stage, NULL});
	conversation_free(&conversation);
}

/* The views that decide about each message as soon as it is read. */
static void
project_stream(struct run *run, const struct options *options)
{
	struct agent_view view;

	agent_view_init(&view, options->agent, options->view == VIEW_TRACE);
	run_set_walk(&view.walk, &options->common);
	run_chain(run, (struct stage *[]){&view.stage, NULL});
	agent_view_free(&view);
}

static void
check_options(const struct options *options)
{
	if (options->trace_given && options->view != VIEW_REASONING)
		options_fail("--trace goes with --view reasoning");
	if (options->execution != NULL && options->view != VIEW_REASONING)
		options_fail("--execution goes with --view reasoning");
	hold_check(options->hold);
	if (options->hold.unit != SIZE_UNSET &&
	    (options->view != VIEW_REASONING || options->sections != NULL ||
		options->last.unit != SIZE_UNSET))
		options_fail("--hold goes with --view reasoning, without --sections and --last");
}

int
main(int argc, char **argv)
{
	struct options options = {.view = VIEW_REASONING};
	int first = options_parse(&command, argc, argv, &options);
	struct run run;

	check_options(&options);
	run_open(&run, &options.common, argv + first, argc - first);
	run.selects = options.last.unit == SIZE_UNSET || options.last.value > 0;
	if (options.sections != NULL || options.last.unit != SIZE_UNSET)
		project_held(&run, &options);
	else if (options.view == VIEW_REASONING)
		project_reasoning(&run, &options);
	else if (options.view == VIEW_CONVERSATION)
		project_conversation(&run, &options);
	else
		project_stream(&run, &options);
	if (run.sink.counts.written < run.source.counts.messages)
		buf_add_str(&run.said, STR("; ctx-compact has no facts of what is hidden"));
	return run_close(&run);
}
