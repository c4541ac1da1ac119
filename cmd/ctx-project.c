/*
 * ctx-project writes a view of the log. The conversation, all and trace views stream: they hold no
 * more than an answer whose fate is open. The reasoning view, --last and --sections hold the
 * session.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "face/filter.h"
#include "face/limits.h"
#include "face/run.h"
#include "policy/agent_view.h"
#include "policy/conversation.h"
#include "policy/view.h"

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
	struct estimator_options estimator;
};

static const char *const views[] = {"reasoning", "conversation", "all", "trace", NULL};
static const char *const traces[] = {"current", "all", "none", NULL};

static const struct option table[] = {
    {"view", 0, "VIEW", "reasoning (default), conversation, all or trace", OPTION_CHOICE,
	offsetof(struct options, view), views, 0},
    {"trace", 0, "WHICH", "trace in the reasoning view: current (default), all or none",
	OPTION_CHOICE, offsetof(struct options, trace), traces, offsetof(struct options, trace_given)},
    {"execution", 0, "ID", "the current execution: auto (default), last, none or an id",
	OPTION_STRING, offsetof(struct options, execution), NULL, 0},
    {"agent", 0, "ID", "the view of that sub-agent", OPTION_STRING,
	offsetof(struct options, agent), NULL, 0},
    {"sections", 0, "LIST", "only these sections, in this order", OPTION_STRING,
	offsetof(struct options, sections), NULL, 0},
    {"last", 0, "SIZE", "the newest that fit: 20msgs, 8turns or 4k tokens", OPTION_SIZE,
	offsetof(struct options, last), NULL, 0},
    OPTIONS_ESTIMATOR(options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-project", "[option]... [file]...",
    "Write a view of the log.", table};

static void
write_conversation(struct filter *filter, const struct options *options)
{
	struct conversation conversation;
	enum record_kind kind;
	struct str raw;
	bool more, in_view = false;

	conversation_init(&conversation);
	if (options->agent != NULL)
		walk_set_agent(&conversation.walk, str_from(options->agent));
	do {
		more = filter_next(filter);
		if (more)
			in_view = conversation_add(&conversation, &filter->message, filter->line.raw,
			    filter->line.continued);
		else
			conversation_end(&conversation);
		while (conversation_next(&conversation, &kind, &raw))
			filter_write_held(filter, kind, raw);
		if (more && in_view)
			filter_pass(filter);
	} while (more);
	conversation_free(&conversation);
}

/* The views whose every message is decided when it is read. */
static int
write_stream(const struct options *options, char *const *operand, int count)
{
	struct agent_view view;
	struct run run;
	int status;

	agent_view_init(&view, options->agent, options->view == VIEW_TRACE);
	run_open(&run, &options->common, operand, count);
	run_chain(&run, (struct stage *[]){&view.stage, NULL});
	status = run_close(&run);
	agent_view_free(&view);
	return status;
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
write_sections(struct filter *filter, const struct options *options, struct session *session)
{
	uint32_t *order = mem_alloc(session->count, sizeof *order);
	struct str names[SECTIONS_MAX];
	unsigned count = split_list(options->sections, names);
	uint32_t used = view_sections(session, names, count, order);

	for (uint32_t i = 0; i < used; i++)
		filter_write_entry(filter, &session->entry[order[i]]);
	free(order);
}

static void
write_held(struct filter *filter, const struct options *options, struct session *session)
{
	struct fault fault = FAULT_INIT;
	struct estimator estimator;

	if (options->agent != NULL)
		walk_set_agent(&session->walk, str_from(options->agent));
	filter_hold(filter, session, filter_current(options->execution), options->execution);
	view_apply(session, (enum view)options->view, (enum view_trace)options->trace);
	if (options->last.unit != SIZE_UNSET) {
		struct size last = options->last;

		limits_open_estimator(&estimator, &options->estimator, &fault);
		limits_fit(&estimator, &options->estimator, session);
		if (last.unit == SIZE_PLAIN)
			last.value = estimate_count(&estimator, last.value);
		view_last(session, last, &estimator);
		limits_check_fault(&fault);
		estimator_close(&estimator);
	}
	if (options->sections != NULL)
		write_sections(filter, options, session);
	else
		filter_write_all(filter, session);
}

static void
check_options(const struct options *options)
{
	if (options->trace_given && options->view != VIEW_REASONING)
		options_fail("--trace goes with --view reasoning");
	if (options->execution != NULL && options->view != VIEW_REASONING)
		options_fail("--execution goes with --view reasoning");
	if (options->last.unit == SIZE_PERCENT || options->last.unit == SIZE_LESS)
		options_fail("bad value of --last, expected a size such as 20msgs, 8turns or 4k");
}

int
main(int argc, char **argv)
{
	struct options options = {.view = VIEW_REASONING};
	int first = options_parse(&command, argc, argv, &options);
	bool streams = options.sections == NULL && options.last.unit == SIZE_UNSET;
	struct session session;
	struct filter filter;
	int status;

	check_options(&options);
	if (streams && (options.view == VIEW_ALL || options.view == VIEW_TRACE))
		return write_stream(&options, argv + first, argc - first);
	filter_open(&filter, &options.common, argv + first, argc - first);
	session_init(&session);
	if (streams && options.view == VIEW_CONVERSATION)
		write_conversation(&filter, &options);
	else
		write_held(&filter, &options, &session);
	status = filter_close(&filter);
	session_free(&session);
	return status;
}
