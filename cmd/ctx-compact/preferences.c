/*
 * The user's choices for a compaction: the transforms, the findings of dedupe, and the messages
 * that may be changed.
 */
#include "job.h"

#include <stdlib.h>

#include "base/mem.h"
#include "policy/filter/filter.h"

#include "face/choices/select_option.h"
#include "face/fault_die.h"

/* Adds number i of count names: "a, b or c". */
static void
add_name(struct buf *names, struct str name, unsigned i, unsigned count)
{
	if (i > 0)
		buf_add_str(names, i + 1 < count ? STR(", ") : STR(" or "));
	buf_add_str(names, name);
}

/* An entry with a slash in it is a command of the user. */
static const struct transform *
open_transform(struct str name)
{
	const struct transform *transform = transform_find(name);

	if (memchr(name.ptr, '/', name.len) != NULL)
		return filter_open(name);
	if (transform == NULL) {
		struct buf names = BUF_INIT;

		for (unsigned i = 0; i < TRANSFORM_COUNT; i++)
			add_name(&names, transform_table[i]->name, i, TRANSFORM_COUNT);
		options_fail("unknown transform '%.*s' in --pipeline, expected %.*s", STR_ARG(name),
		    STR_ARG(buf_str(&names)));
	}
	return transform;
}

static void
parse_pipeline(const char *list, struct job *job)
{
	unsigned count = 0;
	struct str name;

	job->pipeline = mem_alloc(strlen(list) + 2, sizeof(struct transform *));
	/* An empty list is a pipeline without transforms, and the last word may be followed by a
	 * comma. */
	while (list != NULL && *list != '\0' && str_take_word(&list, ',', &name)) {
		for (unsigned i = 0; i < count; i++)
			if (str_eq(job->pipeline[i]->name, name))
				options_fail(
				    "transform '%.*s' is twice in --pipeline", STR_ARG(name));
		job->pipeline[count++] = open_transform(name);
	}
	job->pipeline[count] = NULL;
}

/* The rule of dedupe of that name, as a bit. */
static unsigned
find_rule(struct str name)
{
	const struct transform *dedupe = &dedupe_transform;
	struct buf names = BUF_INIT;

	for (unsigned i = 0; i < dedupe->rule_count; i++)
		if (str_eq(dedupe->rules[i].name, name))
			return 1u << i;
	for (unsigned i = 0; i < dedupe->rule_count; i++)
		add_name(&names, dedupe->rules[i].name, i, dedupe->rule_count);
	options_fail("unknown finding '%.*s' in --dedupe, expected %.*s", STR_ARG(name),
	    STR_ARG(buf_str(&names)));
}

static unsigned
parse_dedupe(const char *list)
{
	unsigned rules = 0;
	struct str name;

	if (list == NULL)
		return 0;
	while (list != NULL && *list != '\0' && str_take_word(&list, ',', &name))
		rules |= find_rule(name);
	if (rules == 0)
		options_fail("--dedupe has an empty list; --pipeline is what leaves it out");
	return rules;
}

/*
 * The strategies that other systems have under these names, with the defaults that they have there.
 * Each is a pipeline, and acts when compaction is due.
 */
static const struct strategy {
	const char *name;
	const char *pipeline;
	uint64_t keep_messages; /* the recency window; 0: the default one */
	bool drops_all;         /* all outside the window is dropped, whatever the target */
	unsigned target_share;  /* percent of the window; 0: the default target */
	const char *title;
} strategies[] = {
    {"simple", "truncate,normalize", 10, true, 0, NULL},
    {"tokens", "truncate,normalize", 0, false, 75, NULL},
    {"summarize", "summarize,normalize", 5, true, 0, "Summary of previous conversation"},
    {"symbolize", "symbolize,normalize", 5, true, 0, NULL},
};

enum { STRATEGIES = ARRAY_COUNT(strategies) };

static const struct strategy *
find_strategy(const char *name)
{
	struct buf names = BUF_INIT;

	for (unsigned i = 0; i < STRATEGIES; i++)
		if (strcmp(strategies[i].name, name) == 0)
			return &strategies[i];
	for (unsigned i = 0; i < STRATEGIES; i++)
		add_name(&names, str_from(strategies[i].name), i, STRATEGIES);
	options_fail("unknown strategy '%s', expected %.*s", name, STR_ARG(buf_str(&names)));
}

static void
apply_strategy(struct job *job, struct options *options)
{
	const struct strategy *strategy = find_strategy(options->strategy);

	options->pipeline = strategy->pipeline;
	job->has_strategy_window = strategy->keep_messages > 0 && !options->keep_messages_given &&
	    !options->keep_turns_given && options->keep_tokens.unit == SIZE_UNSET;
	if (job->has_strategy_window) {
		options->keep_messages = strategy->keep_messages;
		options->keep_messages_given = true;
	}
	if (options->title == NULL)
		options->title = strategy->title;
	job->how.drops_all = strategy->drops_all;
	job->target_share = strategy->target_share;
}

/* The first line of the artifact, or NULL. There is one artifact, so the pipeline has one transform
 * that writes it. */
static const char *
choose_title(const struct job *job, const struct options *options)
{
	const char *title = options->title;
	bool symbolizes = transform_is_in(&symbolize_transform, job->pipeline);

	if (title != NULL && (title[0] == '\0' || strpbrk(title, "\r\n") != NULL))
		options_fail("bad value of --summary-title, expected a line");
	if (symbolizes && transform_is_in(&summarize_transform, job->pipeline))
		options_fail("summarize cannot be combined with symbolize in --pipeline: both "
			     "write the one artifact");
	return title == NULL && symbolizes ? "Conversation symbols" : title;
}

const char *const preferences_roles[] = {"user", "assistant", "developer", NULL};

void
preferences_parse(struct job *job, struct options *options)
{
	static const enum role roles[] = {ROLE_USER, ROLE_ASSISTANT, ROLE_DEVELOPER};

	if (options->strategy != NULL)
		apply_strategy(job, options);
	parse_pipeline(options->pipeline != NULL ? options->pipeline : TRANSFORM_DEFAULT, job);
	job->how.title = choose_title(job, options);
	job->how.artifact_role = roles[options->role];
	job->how.dedupe = parse_dedupe(options->dedupe);
	select_option_parse(&options->select, "select", &job->select);
	select_option_parse(&options->protect, "protect", &job->protect);
	job->how.choice.cached = options->cached;
	if (options->rules != NULL) {
		struct fault fault = FAULT_INIT;

		if (!phrase_file_read(&job->rules, options->rules, &fault))
			fault_die(&fault);
	}
}

void
preferences_free(struct job *job)
{
	for (unsigned i = 0; job->pipeline[i] != NULL; i++)
		if (job->pipeline[i]->filter != NULL)
			filter_close(job->pipeline[i]);
	free(job->pipeline);
	phrase_file_free(&job->rules);
	selectors_free(&job->select);
	selectors_free(&job->protect);
}
