/*
 * ctx-budget passes the stream and writes the session's budget record behind it: what the window
 * holds, what is used, reserved and left, and whether compaction is due. It holds the record that
 * it reads, and the ids of calls without a result.
 */
#include <stdlib.h>

#include "face/filter.h"
#include "face/limits.h"
#include "json/string.h"

struct options {
	struct common_options common;
	struct budget_limits limits;
	struct estimator_options estimator;
	bool table;
	bool json;
	bool check;
};

static const struct option table[] = {
    OPTIONS_LIMITS(options),
    OPTIONS_ESTIMATOR(options),
    {"table", 0, NULL, "print only the budget, for people", OPTION_FLAG,
	offsetof(struct options, table), NULL, 0},
    {"json", 0, NULL, "print only the budget record", OPTION_FLAG,
	offsetof(struct options, json), NULL, 0},
    {"check", 0, NULL, "exit 1 when compaction is due", OPTION_FLAG,
	offsetof(struct options, check), NULL, 0},
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-budget", "[option]... [file]...",
    "Tell what the context costs and what the window has left.", table};

struct weigher {
	struct estimator estimator;
	struct thread thread;
	uint64_t used;
	uint64_t system_prompt;
};

/* The session's messages weigh; a context record's prompt counts under its own reserve. */
static void
weigh(struct weigher *weigher, const struct message *message)
{
	struct place place;
	struct json_value prompt;

	if (message->kind == RECORD_CONTEXT) {
		prompt = json_find(message->value, STR("system_prompt"));
		weigher->system_prompt = prompt.type == JSON_STRING ?
		    estimate_string(&weigher->estimator, prompt) : 0;
	}
	if (message->kind != RECORD_MESSAGE)
		return;
	thread_add(&weigher->thread, message, &place);
	if (!place.outside)
		weigher->used += estimate_message(&weigher->estimator, message);
}

static void
write_row(struct buf *out, const char *label, uint64_t tokens, uint64_t window)
{
	struct buf number = BUF_INIT;
	unsigned tenths = window > 0 ? (unsigned)((double)tokens * 1000 / (double)window + 0.5) : 0;

	number_write_grouped(&number, tokens);
	buf_add_fmt(out, "%-16s%13.*s%6u.%u%%\n", label, (int)number.len, number.ptr, tenths / 10,
	    tenths % 10);
	buf_free(&number);
}

static void
write_table(const struct budget *budget, struct buf *out)
{
	write_row(out, "context window", budget->window, budget->window);
	write_row(out, "used", budget->used, budget->window);
	write_row(out, "reserved output", budget->reserved_output, budget->window);
	write_row(out, "reserved system", budget->reserved_system, budget->window);
	write_row(out, "soft threshold", budget->soft, budget->window);
	write_row(out, "remaining", budget->remaining, budget->window);
	buf_add_fmt(out, "%-16s%13s", "compact", budget->compact ? "yes" : "no");
	if (budget->over_soft)
		buf_add_fmt(out, "  used has reached the soft threshold");
	if (budget->over_headroom)
		buf_add_fmt(out, "%s remaining is under the headroom", budget->over_soft ? ";" : " ");
	buf_add_char(out, '\n');
}

static void
write_budget(struct filter *filter, const struct options *options, const struct budget *budget)
{
	struct buf text = BUF_INIT;

	if (options->table) {
		write_table(budget, &text);
		output_copy(&filter->out, buf_str(&text));
	} else {
		budget_write(budget, &text);
		if (options->json)
			filter_add(filter, buf_str(&text));
		else
			filter_add_last(filter, buf_str(&text));
	}
	buf_free(&text);
}

int
main(int argc, char **argv)
{
	struct options options = {0};
	int first = options_parse(&command, argc, argv, &options);
	struct budget budget = {0};
	struct weigher weigher = {.used = 0};
	struct filter filter;

	limits_check(&options.limits);
	filter_open(&filter, &options.common, argv + first, argc - first);
	limits_open_estimator(&weigher.estimator, &options.estimator);
	budget.estimator = weigher.estimator.name;
	thread_init(&weigher.thread);
	while (filter_next(&filter)) {
		weigh(&weigher, &filter.message);
		if (filter.message.kind != RECORD_BUDGET && !options.table && !options.json)
			filter_pass(&filter);
	}
	budget_set(&budget, &options.limits, weigher.used, weigher.system_prompt);
	write_budget(&filter, &options, &budget);
	if (options.check && budget.compact)
		filter_fail(&filter, STATUS_NO);
	thread_free(&weigher.thread);
	estimator_close(&weigher.estimator);
	return filter_close(&filter);
}
