#ifndef CTX_COMPACT_JOB_H
#define CTX_COMPACT_JOB_H

/*
 * One run of ctx-compact: what was asked for, the session, its budget, and what became of it.
 */

#include "data/held.h"
#include "face/limits.h"
#include "face/run.h"
#include "policy/compact/transform.h"

struct options {
	struct common_options common;
	struct budget_limits limits;
	struct estimator_options estimator;
	struct size target;
	const char *pipeline;
	uint64_t keep_turns;
	bool keep_turns_given;
	struct size keep_tokens;
	uint64_t prune_over;
	uint64_t error_tokens;
	const char *execution;
	bool force;
	bool best_effort;
	bool plan;
};

struct job {
	struct held held; /* a stage: the session is compacted when the stream has ended */
	const struct options *options;
	struct run run;
	struct estimator_options counting; /* as asked for, or as the budget record says */
	struct estimator estimator;
	struct budget budget;
	const struct transform *pipeline[TRANSFORM_COUNT + 1];
	struct compaction_options how;
	struct compaction compaction;
	uint64_t target;       /* in tokens as the estimator reports them */
	uint32_t budget_entry; /* the last budget record, or NONE */
	bool is_triggered;     /* that record says compact for a reason that tokens do not tell */
	bool is_met;
};

/* Finds the budget record of the held session, and opens the estimator that the options name,
 * else the one that the record names, else the default. A command that the record names is not run:
 * it is data. Dies as limits_open_estimator does. */
void job_open_estimator(struct job *job);

/* Finds the session's budget and what it has to come down to, and starts the compaction. */
void job_measure(struct job *job);

/* Whether it is time; the session is counted as far as that takes. */
bool job_is_due(struct job *job);

/* Writes what is or would be done, one JSON object a group or message, in place of the stream. */
void plan_write(struct job *job);

/* Adds the command's members to the report. */
void report_write(struct job *job);

/* Says on standard error what the largest things are that stay, and why. */
void refusal_say(struct job *job);

/* The option that would free what stays of the entry, or NULL. */
const char *refusal_option(const struct job *job, uint32_t entry);

#endif
