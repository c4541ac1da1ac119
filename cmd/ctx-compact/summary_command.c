/*
 * The user's command that writes the summary. The pass has already run, with a digest in the place
 * of the summary. So the command runs only once, and only if messages were dropped.
 */
#include "job.h"

#include "face/terminal/progress.h"
#include "policy/compact/pipeline.h"
#include "policy/drop/drop_how.h"
#include "policy/filter/invariants.h"
#include "policy/summarizer/invented.h"
#include "policy/summary/abstract.h"

enum { TIMEOUT = 120, NAMES_SAID = 5 };
enum { FALLBACK_DIGEST, FALLBACK_TRUNCATE };

const char *const summary_command_inputs[] = {"text", "jsonl", NULL};
const char *const summary_command_fallbacks[] = {"digest", "truncate", NULL};

void
summary_command_parse(struct job *job, const struct options *options)
{
	const struct job_summarizer *given = &options->summarizer;
	const struct drop_how *drop = drop_how_of(job->pipeline);

	if (given->command == NULL)
		return;
	if (drop == NULL || !drop->by_value)
		options_fail("--summarizer requires summarize or symbolize in --pipeline");
	job->summarizer = (struct summarizer){.command = given->command,
	    .timeout = given->timeout_given ? given->timeout : TIMEOUT,
	    .retries = given->retries};
	job->how.leaves_room = true;
}

/* Asks the command; progress is shown meanwhile. */
static bool
ask(struct job *job, const struct abstract *abstract, struct buf *answer, struct fault *fault)
{
	struct job_summary *said = &job->summary;
	struct buf input = BUF_INIT;
	struct summarizer_task task;
	bool good;

	if (job->options->summarizer.input != 0)
		brief_write_records(&abstract->request, &input);
	else if (abstract->has_symbols)
		brief_write_lines(&abstract->request, &input);
	else
		brief_write_text(&abstract->request, &input);
	said->is_asked = true;
	said->is_update = job->compaction.artifact != NONE;
	said->messages = abstract->request.count;
	said->most = abstract->request.tokens;
	task = (struct summarizer_task){
	    buf_str(&input), said->most, said->messages, said->is_update, abstract->has_symbols};
	if (job->options->common.verbose)
		diag_warn("the summarizer gets %ju messages, %zu bytes", (uintmax_t)said->messages,
		    input.len);
	progress_begin_command("the summarizer", job->summarizer.timeout);
	good = summarizer_ask(&job->summarizer, &task, answer, &said->runs, fault);
	progress_end_command();
	buf_free(&input);
	return good;
}

/* Notes the names that the messages lack. Returns false with the fault set when there are any, and
 * they are refused. */
static bool
check_names(struct job *job, const struct abstract *abstract, struct str text, struct fault *fault)
{
	struct invented invented;
	struct buf names = BUF_INIT;
	struct json_writer w;
	bool good;

	invented_find(&invented, &abstract->request, text);
	json_begin(&w, &job->summary.invented, '[');
	for (uint32_t i = 0; i < invented.count; i++) {
		json_put_string(&w, invented.name[i]);
		if (i < NAMES_SAID)
			buf_add_fmt(&names, "%s%.*s", i > 0 ? ", " : "", STR_ARG(invented.name[i]));
	}
	json_close(&w);
	if (invented.count > NAMES_SAID)
		buf_add_fmt(&names, " and %u more", invented.count - NAMES_SAID);
	good = invented.count == 0 || !job->options->summarizer.strict ||
	    fault_set(fault, STATUS_UNAVAILABLE, "'%s' wrote what the messages lack: %.*s",
		job->summarizer.command, STR_ARG(buf_str(&names)));
	buf_free(&names);
	invented_free(&invented);
	return good;
}

/* Puts the answer into the artifact, if it is allowed there. */
static bool
tell(struct job *job, struct abstract *abstract, struct str text, struct fault *fault)
{
	struct job_summary *said = &job->summary;

	said->tokens = abstract_count(abstract, text);
	if (said->tokens > said->most)
		return fault_set(fault, STATUS_UNAVAILABLE, "'%s' wrote %ju tokens, more than %ju",
		    job->summarizer.command, (uintmax_t)said->tokens, (uintmax_t)said->most);
	if (!check_names(job, abstract, text, fault))
		return false;
	if (!abstract_put(abstract, text))
		return fault_set(fault, STATUS_UNAVAILABLE,
		    "'%s' wrote no less than the summary replaces", job->summarizer.command);
	said->is_told = true;
	return true;
}

/* Takes summarize and symbolize out of the pipeline of this session, and has truncate in the place
 * of the one that is there, under no title of symbols. */
static void
use_truncate(struct job *job)
{
	bool has_truncate = transform_is_in(&truncate_transform, job->pipeline);
	const struct transform **pipeline;
	unsigned count = 0;

	while (job->pipeline[count] != NULL)
		count++;
	pipeline = arena_zalloc(&job->held.session.arena, count + 1, sizeof(struct transform *));
	count = 0;
	for (unsigned i = 0; job->pipeline[i] != NULL; i++) {
		const struct transform *transform = job->pipeline[i];
		bool goes = transform->drop != NULL && transform->drop->by_value;

		if (!(goes && has_truncate))
			pipeline[count++] = goes ? &truncate_transform : transform;
	}
	job->pipeline = pipeline;
	job->how.title = job->options->title;
}

/* Runs the pass again, as if no summarizer had been given. */
static void
fall_back(struct job *job)
{
	uint32_t artifact = job->compaction.artifact;

	compaction_reset(&job->compaction);
	compaction_free(&job->compaction);
	job->how.leaves_room = false;
	if (job->options->summarizer.fallback == FALLBACK_TRUNCATE)
		use_truncate(job);
	job->how.pipeline = job->pipeline;
	compaction_init(&job->compaction, &job->held.session, job->estimator, &job->how, artifact);
	pipeline_run(&job->compaction);
	if (!fault_is_set(&job->run->fault))
		economy_weigh(job);
}

/* Goes on without the text, or ends the run. */
static void
do_without(struct job *job, const struct fault *failed)
{
	struct str reason = buf_str(&failed->text);
	const char *fallback = summary_command_fallbacks[job->options->summarizer.fallback];

	if (!job->options->summarizer.fallback_given) {
		fault_set(&job->run->fault, failed->status,
		    "nothing was changed: the summarizer %.*s", STR_ARG(reason));
		return;
	}
	diag_warn("the summarizer %.*s; went on with %s", STR_ARG(reason), fallback);
	buf_add_str(&job->summary.reason, reason);
	fall_back(job);
}

void
summary_command_run(struct job *job)
{
	struct compaction *c = &job->compaction;
	struct fault failed = FAULT_INIT;
	struct buf answer = BUF_INIT;
	struct abstract abstract;
	enum abstract_answer found;
	bool good = true;

	if (job->summarizer.command == NULL || job->options->plan ||
	    (compaction_used(c) > job->how.room && !job->options->best_effort))
		return;
	found = abstract_open(&abstract, c);
	if (found == ABSTRACT_NO_ROOM)
		diag_warn(abstract.has_symbols ?
			"there is no room for a symbol of each message: "
			"the built-in ones stay" :
			"there is no room for a summary: the digest stays");
	if (found == ABSTRACT_READY)
		good = ask(job, &abstract, &answer, &failed) &&
		    tell(job, &abstract, buf_str(&answer), &failed);
	abstract_close(&abstract);
	if (good && job->summary.is_told) {
		invariants_check(c);
		economy_weigh(job);
	} else if (!good) {
		do_without(job, &failed);
	}
	buf_free(&answer);
	fault_free(&failed);
}

void
summary_command_write(const struct job *job, struct json_writer *w)
{
	const struct job_summary *said = &job->summary;

	if (!said->is_asked)
		return;
	json_member_open(w, STR("summarizer"), '{');
	json_member_string(w, STR("kind"), said->is_update ? STR("update") : STR("initial"));
	json_member_integer(w, STR("messages"), (int64_t)said->messages);
	json_member_integer(w, STR("most_tokens"), (int64_t)said->most);
	json_member_integer(w, STR("tokens"), (int64_t)said->tokens);
	json_member_integer(w, STR("runs"), said->runs);
	if (said->invented.len > 0)
		json_member_raw(w, STR("invented"), buf_str(&said->invented));
	if (said->reason.len > 0) {
		json_member_string(w, STR("failed"), buf_str(&said->reason));
		json_member_string(w, STR("fallback"),
		    str_from(summary_command_fallbacks[job->options->summarizer.fallback]));
	}
	json_close(w);
}

void
summary_command_free(struct job *job)
{
	buf_free(&job->summary.invented);
	buf_free(&job->summary.reason);
}
