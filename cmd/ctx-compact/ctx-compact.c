/*
 * ctx-compact makes a session fit its token budget and keeps the facts of what goes. It reads the
 * whole session, which it holds, and writes nothing before it knows that the budget can be met.
 */
#include "job.h"

#include "policy/compact/pipeline.h"

static const struct option table[] = {
    {"target", 0, "TOKENS", "what to come down to (50%)", OPTION_SIZE,
	offsetof(struct options, target), NULL, 0},
    {"pipeline", 0, "LIST", "dedupe,prune,truncate,normalize, in that order",
	OPTION_STRING, offsetof(struct options, pipeline), NULL, 0},
    {"force", 'f', NULL, "run every transform, whatever the budget says", OPTION_FLAG,
	offsetof(struct options, force), NULL, 0},
    {"best-effort", 0, NULL, "write what is smallest when the budget cannot be met", OPTION_FLAG,
	offsetof(struct options, best_effort), NULL, 0},
    {"plan", 'n', NULL, "print what would be done instead", OPTION_FLAG,
	offsetof(struct options, plan), NULL, 0},
    {"keep-turns", 0, "N", "the recency window, in turns (2)", OPTION_COUNT,
	offsetof(struct options, keep_turns), NULL, offsetof(struct options, keep_turns_given)},
    {"keep-tokens", 0, "TOKENS", "the recency window, at most (20k or half the target)",
	OPTION_SIZE, offsetof(struct options, keep_tokens), NULL, 0},
    {"prune-over", 0, "BYTES", "texts over this size are pruned (2k)", OPTION_COUNT,
	offsetof(struct options, prune_over), NULL, 0},
    {"error-tokens", 0, "N", "what unresolved error text is cut to (500)", OPTION_COUNT,
	offsetof(struct options, error_tokens), NULL, 0},
    {"execution", 0, "ID", "the current execution: auto (default), last, none or an id",
	OPTION_STRING, offsetof(struct options, execution), NULL, 0},
    OPTIONS_LIMITS(options),
    OPTIONS_ESTIMATOR(options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-compact", "[option]... [file]...",
    "Make a session fit its token budget and keep the facts.", table};

static const char *const transforms[TRANSFORM_COUNT] = {
    [TRANSFORM_DEDUPE] = "dedupe",
    [TRANSFORM_PRUNE] = "prune",
    [TRANSFORM_TRUNCATE] = "truncate",
    [TRANSFORM_NORMALIZE] = "normalize",
};

static enum transform
find_transform(struct str name)
{
	for (enum transform i = 0; i < TRANSFORM_COUNT; i++)
		if (str_eq(name, str_from(transforms[i])))
			return i;
	options_fail("unknown transform '%.*s' in --pipeline, expected dedupe, prune, truncate or "
	    "normalize", STR_ARG(name));
}

static void
add_transform(struct compaction_options *how, struct str name)
{
	enum transform transform = find_transform(name);

	for (unsigned i = 0; i < how->pipeline_count; i++)
		if (how->pipeline[i] == transform)
			options_fail("transform '%.*s' stands twice in --pipeline", STR_ARG(name));
	how->pipeline[how->pipeline_count++] = transform;
}

static void
parse_pipeline(const char *list, struct compaction_options *how)
{
	size_t len;

	for (const char *p = list; *p != '\0'; p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		add_transform(how, str_of(p, len));
	}
}

static void
check_tokens(struct size size, const char *name)
{
	if (size.unit == SIZE_MESSAGES || size.unit == SIZE_TURNS)
		options_fail("bad value of --%s, expected a number of tokens", name);
}

static void
parse_options(struct job *job, struct options *options)
{
	limits_check(&options->limits);
	limits_check_estimator(&options->estimator);
	check_tokens(options->target, "target");
	check_tokens(options->keep_tokens, "keep-tokens");
	parse_pipeline(options->pipeline, &job->how);
	job->how.force = options->force;
	job->options = options;
}

static void
compact(struct job *job)
{
	uint64_t room = budget_room(&job->budget);
	const char *broken = NULL;

	if (job->options->force || job->is_triggered || job->budget.compact ||
	    job->budget.used > room)
		broken = pipeline_run(&job->compaction);
	limits_check_fault(&job->fault);
	if (broken != NULL)
		diag_die(STATUS_INVARIANT, "nothing was written: %s", broken);
	budget_reuse(&job->budget, estimate_cost(&job->estimator, job->compaction.used));
	job->is_met = job->budget.used <= room;
	job->budget.hard_stop = !job->is_met;
}

static void
say_cannot(struct job *job)
{
	struct buf used = BUF_INIT, room = BUF_INIT;

	number_write_grouped(&used, job->budget.used);
	number_write_grouped(&room, budget_room(&job->budget));
	diag_warn("the budget cannot be met: %.*s tokens are the least, %.*s are allowed",
	    STR_ARG(buf_str(&used)), STR_ARG(buf_str(&room)));
	buf_free(&used);
	buf_free(&room);
	filter_fail(&job->filter, STATUS_NO);
}

/* Whether nothing but blank lines and budget records stands behind the entry. */
static bool
is_last(const struct session *t, uint32_t index)
{
	for (uint32_t i = index + 1; i < t->count; i++)
		if (t->entry[i].kind != RECORD_BLANK && t->entry[i].kind != RECORD_BUDGET)
			return false;
	return true;
}

/* A budget record that was there is written anew, behind the messages; others go. Returns whether
 * it has to be added at the end. */
static bool
rewrite_budget(struct job *job, struct buf *text)
{
	struct session *t = &job->session;

	if (job->budget_entry == NONE)
		return false;
	budget_write(&job->budget, text);
	for (uint32_t i = 0; i < t->count; i++)
		t->entry[i].is_dropped |= t->entry[i].kind == RECORD_BUDGET;
	if (!is_last(t, job->budget_entry))
		return true;
	t->entry[job->budget_entry].is_dropped = false;
	if (!str_eq(entry_text(&t->entry[job->budget_entry]), buf_str(text)))
		session_replace(t, job->budget_entry, buf_str(text));
	return false;
}

static void
write_stream(struct job *job)
{
	struct buf text = BUF_INIT;
	bool adds_budget = rewrite_budget(job, &text);
	const struct session *t = &job->session;
	const struct compaction *c = &job->compaction;

	for (uint32_t i = 0; i < t->count; i++) {
		if (i == c->added_before)
			filter_add_last(&job->filter, buf_str(&c->added));
		if (!t->entry[i].is_dropped)
			filter_write_entry(&job->filter, &t->entry[i]);
	}
	if (c->added_before == t->count)
		filter_add_last(&job->filter, buf_str(&c->added));
	if (adds_budget)
		filter_add_last(&job->filter, buf_str(&text));
	buf_free(&text);
}

int
main(int argc, char **argv)
{
	struct options options = {.keep_turns = 2, .prune_over = 2000, .error_tokens = 500,
	    .pipeline = "dedupe,prune,truncate,normalize"};
	int first = options_parse(&command, argc, argv, &options), status;
	struct job job = {.is_met = false};

	parse_options(&job, &options);
	filter_open(&job.filter, &options.common, argv + first, argc - first);
	session_init(&job.session);
	filter_hold(&job.filter, &job.session, filter_current(options.execution),
	    options.execution);
	job_open_estimator(&job);
	job_measure(&job);
	compact(&job);
	if (!job.is_met)
		say_cannot(&job);
	report_write(&job);
	if (options.plan)
		plan_write(&job);
	else if (job.is_met || options.best_effort)
		write_stream(&job);
	status = filter_close(&job.filter);
	compaction_free(&job.compaction);
	session_free(&job.session);
	estimator_close(&job.estimator);
	fault_free(&job.fault);
	return status;
}
