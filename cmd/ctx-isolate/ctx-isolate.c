/*
 * ctx-isolate replaces the tool traces of past executions by something shorter. The policy
 * transparent is the identity and holds nothing. The policies boundary and mask hold all records
 * from the first group on that lacks a result, has a failure that may yet be resolved, or
 * belongs to the running execution.
 */
#include "../commands.h"
#include "base/bounded.h"
#include "face/changes.h"
#include "face/choices/archive_option.h"
#include "face/choices/hold.h"
#include "face/choices/limits.h"
#include "face/choices/select_option.h"
#include "policy/isolate/isolation_stage.h"
#include "policy/text/placeholder.h"

enum interim { INTERIM_KEEP, INTERIM_DROP };
enum artifact_of { ARTIFACT_GROUP, ARTIFACT_EXECUTION };
enum artifact_role { ARTIFACT_ASSISTANT, ARTIFACT_USER };

struct options {
	struct common_options common;
	int policy;
	const char *execution;
	uint64_t error_tokens;
	uint64_t min_tokens;
	uint64_t keep_results;
	uint64_t keep_tokens;
	int artifact;
	int artifact_role;
	const char *placeholder;
	int arguments;
	struct size thinking;
	int interim;
	uint64_t min_gain;
	struct option_list select;
	struct option_list protect;
	struct size hold;
	struct estimator_options estimator;
};

#define POLICY_NAME(name, policy) #name,

static const char *const policies[] = {ISOLATION_STAGE_POLICIES(POLICY_NAME) NULL},
			 *const arguments[] = {"keep", "all", "failed", "redone", NULL},
			 *const interims[] = {"keep", "drop", NULL},
			 *const artifacts[] = {"group", "execution", NULL},
			 *const artifact_roles[] = {"assistant", "user", NULL};

static const struct option table[] = {
    OPTIONS_UNDER("What becomes of the trace of past executions"),
    {"policy", 0, "POLICY", "boundary (default), mask or transparent", OPTION_CHOICE,
	offsetof(struct options, policy), policies},
    OPTION_EXECUTION(OPTION_ROW, options),
    OPTION_FORGOTTEN,
    {"select", 0, "SELECTOR", "touch this trace only; again: or this", OPTION_LIST,
	offsetof(struct options, select)},
    {"protect", 0, "SELECTOR", "do not touch this trace; again: nor this", OPTION_LIST,
	offsetof(struct options, protect)},
    {"error-tokens", 0, "N", "tokens that unresolved error text is cut to (500)", OPTION_COUNT,
	offsetof(struct options, error_tokens)},
    {"thinking", 0, "TURNS", "thinking stays in so many newest turns: 1turn", OPTION_TURNS,
	offsetof(struct options, thinking)},
    {"interim", 0, "HOW", "keep (default) or drop what was said between calls", OPTION_CHOICE,
	offsetof(struct options, interim), interims},
    {"min-gain", 0, "TOKENS", "change nothing when a run would save less", OPTION_COUNT,
	offsetof(struct options, min_gain)},
    OPTION_HOLD(options),
    OPTIONS_UNDER("Artifacts, of --policy boundary"),
    {"artifact", 0, "OF", "one artifact a group (default) or execution", OPTION_CHOICE,
	offsetof(struct options, artifact), artifacts},
    {"artifact-role", 0, "ROLE", "the role of artifacts: assistant (default) or user",
	OPTION_CHOICE, offsetof(struct options, artifact_role), artifact_roles},
    OPTIONS_UNDER("Masked results, of --policy mask"),
    {"min-tokens", 0, "N", "results up to this size stay (200)", OPTION_COUNT,
	offsetof(struct options, min_tokens)},
    {"keep-results", 0, "N", "the newest results stay (3)", OPTION_COUNT,
	offsetof(struct options, keep_results)},
    {"keep-tokens", 0, "N", "results in so many newest tokens stay (0)", OPTION_COUNT,
	offsetof(struct options, keep_tokens)},
    {"placeholder", 0, "TEXT", "text of a masked result: {tool} {target} {bytes} …", OPTION_STRING,
	offsetof(struct options, placeholder)},
    {"arguments", 0, "CALLS", "whose arguments go: keep (default), all, failed, redone",
	OPTION_CHOICE, offsetof(struct options, arguments), arguments},
    OPTIONS_UNDER("Archive and counting"),
    OPTION_ARCHIVE,
    OPTION_CHANGES,
    OPTIONS_ESTIMATOR(OPTION_ROW, options),
    OPTIONS_COMMON,
    OPTIONS_END,
};

/* One run: all sessions, and the figures reported at the end. */
struct ctx_isolate {
	struct options options;
	struct isolation_options how;
	struct selection chosen;
	struct estimator estimator;
	struct run *run;
	struct archive_option archive;
	uint64_t given_up;
	uint64_t refused_gain;
};

/* One session: the stage, with the state needed to report the changes before any record is
 * emitted. */
struct session_isolation {
	struct isolation isolation; /* first, so that it is a window */
	struct estimator own;
	struct selection chosen;
	struct ctx_isolate *all;
};

static void
tell(struct window *window)
{
	struct session_isolation *one = (struct session_isolation *)window;
	const char *archive = one->all->options.common.archive;
	struct session *session = &window->held.session;
	struct run *run = one->all->run;

	isolation_settle(&one->isolation);
	archive_option_write(&one->all->archive, session, run);
	changes_write(session, one->isolation.estimator, true, archive != NULL, run);
}

static bool
is_identity(const struct ctx_isolate *all)
{
	return isolation_stage_policies[all->options.policy] == NULL;
}

/* Whether options need the whole session before any of it leaves. */
static bool
is_held(const struct options *options)
{
	return options->common.archive != NULL || options->common.changes != NULL ||
	    options->min_gain > 0 || options->arguments == ISOLATION_ARGUMENTS_REDONE;
}

/* A stream waits for nothing. If the session is held, forgotten messages are dropped as a change,
 * so that the archive has them. */
static enum command_forgotten
forgotten(const void *self)
{
	const struct ctx_isolate *all = self;

	return is_identity(all) || !is_held(&all->options) ? COMMAND_FORGOTTEN_STAY :
							     COMMAND_FORGOTTEN_PASS;
}

static size_t
session_size(const void *self)
{
	return is_identity(self) ? 0 : sizeof(struct session_isolation);
}

static void
open_session(void *self, void *session, struct stage **stages)
{
	struct ctx_isolate *all = self;
	struct session_isolation *one = session;
	const struct options *options = &all->options;
	struct isolation *isolation = &one->isolation;
	struct session *held = &isolation->window.held.session;
	struct isolation_options how = all->how;
	struct estimator *estimator;

	if (is_identity(all))
		return;
	estimator = estimator_share(&all->estimator, &one->own);
	one->all = all;
	one->chosen = all->chosen;
	one->chosen.estimator = estimator;
	if (options->select.count + options->protect.count > 0)
		how.chosen = &one->chosen;
	isolation_stage_init(isolation, isolation_stage_policies[options->policy], &how, estimator);
	isolation->window.limit = options->hold;
	run_set_session(held, options->execution, &options->common);
	held->name = run_session_key(all->run);
	if (options->common.archive != NULL || options->common.changes != NULL ||
	    options->min_gain > 0)
		isolation->window.decided = tell;
	held->counts_changes = options->common.changes != NULL;
	archive_option_begin(held, all->run);
	stages[0] = &isolation->window.held.stage;
}

static void
finish_session(void *self, void *session)
{
	struct ctx_isolate *all = self;
	const struct isolation *isolation = &((struct session_isolation *)session)->isolation;

	if (is_identity(all))
		return;
	limits_warn_unfitted(
	    &all->options.estimator, isolation->fitted, isolation->estimator, isolation->points);
	all->given_up += isolation->window.given_up;
	all->refused_gain = bounded_add(all->refused_gain, isolation->refused_gain);
}

static void
free_session(void *self, void *session)
{
	struct session_isolation *one = session;

	if (is_identity(self))
		return;
	isolation_stage_free(&one->isolation);
	estimator_free_own(&one->own);
}

/* An empty result would be read as the result of a tool that printed nothing. */
static void
check_placeholder(const char *text, const char *archive)
{
	struct str wrong;

	if (text[0] == '\0')
		options_fail("--placeholder needs a text");
	if (!placeholder_check(str_from(text), &wrong))
		options_fail("unknown word '%.*s' in --placeholder, expected " PLACEHOLDER_WORDS
			     ", or {{ for a brace",
		    STR_ARG(wrong));
	if (archive == NULL && placeholder_names_archive(str_from(text)))
		options_fail("{archive} in --placeholder needs --archive");
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_isolate *all = self;
	struct options *options = &all->options;
	int first;

	*options = (struct options){.error_tokens = 500,
	    .min_tokens = 200,
	    .keep_results = 3,
	    .placeholder = "[tool result masked, {bytes}]"};
	first = options_parse(&isolate_command, argc, argv, options);
	select_option_parse(&options->select, "select", &all->chosen.select);
	select_option_parse(&options->protect, "protect", &all->chosen.reject);
	check_placeholder(options->placeholder, options->common.archive);
	return first;
}

static struct isolation_options
read_how(const struct options *options)
{
	return (struct isolation_options){.error_tokens = options->error_tokens,
	    .min_tokens = options->min_tokens,
	    .keep_results = options->keep_results,
	    .keep_tokens = options->keep_tokens,
	    .placeholder = str_from(options->placeholder),
	    .arguments = (enum isolation_arguments)options->arguments,
	    .drops_thinking = options->thinking.unit != SIZE_UNSET,
	    .thinking_turns = options->thinking.value,
	    .drops_interim = options->interim == INTERIM_DROP,
	    .min_gain = options->min_gain,
	    .by_execution = options->artifact == ARTIFACT_EXECUTION,
	    .artifact_role = options->artifact_role == ARTIFACT_USER ? ROLE_USER : ROLE_ASSISTANT};
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_isolate *all = self;

	all->run = run;
	if (is_identity(all)) {
		changes_write(NULL, NULL, false, false, run);
		return;
	}
	all->how = read_how(&all->options);
	limits_open_estimator(
	    &all->estimator, &all->options.estimator, &all->options.common, &run->fault);
}

static void
ended(void *self)
{
	struct ctx_isolate *all = self;

	archive_option_end(&all->archive, all->run);
}

static void
finish(void *self)
{
	struct ctx_isolate *all = self;

	archive_option_end(&all->archive, all->run);
	if (is_identity(all))
		return;
	hold_report(all->run, all->options.hold, all->given_up);
	if (all->refused_gain > 0)
		json_member_integer(
		    &all->run->members, STR("refused_gain"), (int64_t)all->refused_gain);
	estimator_close(&all->estimator);
}

static void
free_all(void *self)
{
	struct ctx_isolate *all = self;

	selection_free(&all->chosen);
}

static const char *const essential[] = {
    "policy", "execution", "protect", "keep-results", "min-tokens", "artifact", NULL};

const struct command isolate_command = {.name = "ctx-isolate",
    .synopsis = "[option]... [file]...",
    .purpose = "Keep old tool traces from polluting the main thread.",
    .kind = COMMAND_FILTER,
    .options = table,
    .essential = essential,
    .examples = {"ctx-isolate log.jsonl | ctx-project",
	"ctx-isolate --policy mask --keep-results 2 log.jsonl"},
    .statuses = {0, 64, 65, 66, 69, 71, 73, 74, 78},
    .run = {.size = sizeof(struct ctx_isolate),
	.parse = parse,
	.open = open_run,
	.ended = ended,
	.finish = finish,
	.free = free_all},
    .session = {.size_of = session_size,
	.stages = open_session,
	.finish = finish_session,
	.free = free_session,
	.forgotten = forgotten}};
