/*
 * One session: its records are held; when the stream has ended, the session is compacted and
 * emitted.
 */
#include "data/session/session_builder.h"
#include "job.h"

#include "face/terminal/progress.h"
#include "policy/compact/pipeline.h"

/* Decides whether compaction is due, and whether it is put off. */
static void
decide(struct job *job)
{
	bool is_asked = job->options->decide != NULL;

	job->is_due = is_asked ? events_decide(job) : job_is_due(job);
	if (is_asked && !job->is_due)
		job->delay = DELAY_DECIDED;
	else if (job->is_due && economy_defers(job))
		job->delay = DELAY_BOUNDARY;
	job->is_due = job->is_due && job->delay == DELAY_NONE;
}

static void
compact(struct job *job)
{
	decide(job);
	if (job->is_due)
		pipeline_run(&job->compaction);
	else
		compaction_weigh(&job->compaction, KEEP_NOT);
	if (fault_is_set(&job->run->fault))
		return;
	economy_weigh(job);
	/* A pass drops messages that later ones forget. */
	for (uint32_t i = 0; i < job->held.session.count && job->is_due && !job->is_refused; i++)
		change_forget(&job->held.session, i);
	summary_command_run(job);
	if (!fault_is_set(&job->run->fault))
		job_recount(job);
}

/* Says which reasons hold though nothing could be changed. */
static void
say_stuck(struct job *job)
{
	struct buf reasons = BUF_INIT;

	for (enum budget_reason r = 0; r < BUDGET_REASONS; r++)
		if (budget_has(&job->budget, r)) {
			buf_add_str(&reasons, reasons.len > 0 ? STR(", ") : STR(""));
			buf_add_str(&reasons, budget_reason_name(r));
		}
	if (job->is_refused)
		diag_warn("a pass would save %ju tokens, less than --min-gain, and it is still "
			  "time: %.*s",
		    (uintmax_t)job->gain, STR_ARG(buf_str(&reasons)));
	else
		diag_warn("nothing more can be done, and it is still time: %.*s",
		    STR_ARG(buf_str(&reasons)));
	buf_free(&reasons);
	run_fail(job->run, STATUS_NO);
}

/* Does all work before the output. Each step may set a fault, and then nothing is written: a file
 * is never replaced by a part of it. */
static void
prepare(struct job *job, bool is_written)
{
	const struct options *options = job->options;
	bool is_replaced = job->run->file == NULL || !job->run->source.has_stopped;
	bool is_event = is_written && is_replaced && job->is_changed && !options->plan;

	if (is_event)
		events_ask(job);
	if (is_written && !options->plan && job->delay != DELAY_DECIDED)
		budget_record_rewrite(job);
	if (is_event)
		events_keep(job);
	if (is_written && !options->plan)
		archive_option_write(&job->all->archive, &job->held.session, job->run);
	changes_write(&job->held.session, job->estimator, is_written && is_replaced,
	    options->common.archive != NULL, job->run);
}

/* Does the whole work of the command, once the session is held. */
static void
end(struct stage *stage)
{
	struct job *job = (struct job *)stage;
	bool is_left, is_written;

	session_end(&job->held.session);
	for (uint32_t i = 0; i < job->held.session.count; i++)
		job->messages += job->held.session.entry[i].kind == RECORD_MESSAGE;
	budget_record_find(job);
	job_open_estimator(job);
	job_measure(job);
	/* Files of an earlier run must not be taken for files of this run. */
	if (stage->fault->status != STATUS_USAGE && !job->all->has_emptied) {
		run_empty_outputs(job->run);
		job->all->has_emptied = true;
	}
	if (!fault_is_set(stage->fault))
		compact(job);
	if (fault_is_set(stage->fault))
		return;
	refusal_say_cuts(job);
	is_left = job->delay == DELAY_DECIDED;
	is_written = job->is_met || job->options->best_effort || is_left;
	if (!job->is_met && !is_left) {
		diag_warn("the budget cannot be met: %s tokens are the least, %s are allowed",
		    number_grouped(job->budget.used).text,
		    number_grouped(budget_room(&job->budget)).text);
		refusal_say(job);
		run_fail(job->run, STATUS_NO);
	}
	job_say_outside(job);
	job_say_target(job);
	if (job->is_met && job->budget.compact && !job->is_changed && job->delay == DELAY_NONE)
		say_stuck(job);
	report_write(job);
	report_note(job);
	prepare(job, is_written);
	if (fault_is_set(stage->fault))
		return;
	if (job->options->plan) {
		struct buf text = BUF_INIT;

		plan_write(job, &text);
		progress_give_way();
		output_copy(&job->run->sink.out, buf_str(&text));
		buf_free(&text);
	} else if (is_written) {
		held_emit_all(&job->held);
	}
}

void
session_pass_stages(void *self, void *session, struct stage **stages)
{
	struct ctx_compact *all = self;
	struct job *job = session;
	const struct options *options = all->pattern.options;

	*job = all->pattern;
	job->all = all;
	job->run = all->run;
	job->how.pipeline = job->pipeline;
	job->how.budget = &job->budget;
	job->how.fault = &all->run->fault;
	job->how.choice.select = &job->select;
	if (options->rules != NULL)
		job->how.rules = &all->pattern.rules.phrases;
	job->how.choice.protect = &job->protect;
	held_init(&job->held, end);
	run_set_session(&job->held.session, options->execution, &options->common);
	job->held.session.name = run_session_key(all->run);
	archive_option_begin(&job->held.session, all->run);
	stages[0] = &job->held.stage;
}

void
session_pass_free(void *self, void *session)
{
	struct ctx_compact *all = self;
	struct job *job = session;

	compaction_free(&job->compaction);
	held_free(&job->held);
	estimator_free_own(&job->own);
	summary_command_free(job);
	if (job->when != all->pattern.when) /* a budget record had it */
		selector_free(job->when);
}
