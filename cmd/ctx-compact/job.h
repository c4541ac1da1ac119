#ifndef CTX_COMPACT_JOB_H
#define CTX_COMPACT_JOB_H

/*
 * One run of ctx-compact. What the options say is read once, into a job; each session has a copy of
 * it, with its records, its budget, and the compaction.
 */

#include "data/session/held.h"
#include "face/changes.h"
#include "face/choices/archive_option.h"
#include "face/choices/limits.h"
#include "face/output/in_place.h"
#include "face/run.h"
#include "face/sessions/sessions.h"
#include "policy/budget/session_model.h"
#include "policy/compact/transform.h"
#include "policy/constraints/phrases.h"
#include "policy/summarizer/summarizer.h"

struct job_summarizer {
	const char *command;
	int input;        /* an index of summary_command_inputs */
	uint64_t timeout; /* seconds, where timeout_given */
	bool timeout_given;
	uint64_t retries;
	int fallback; /* an index of summary_command_fallbacks */
	bool fallback_given;
	bool strict;
};

/* What the summarizer was asked, and what came of it. */
struct job_summary {
	bool is_asked;
	bool is_told; /* its text stands in the artifact */
	bool is_update;
	uint64_t messages;
	uint64_t most;   /* tokens that it might write */
	uint64_t tokens; /* that it wrote */
	unsigned runs;
	struct buf invented; /* a JSON array of names */
	struct buf reason;   /* why its text does not stand there */
};

struct options {
	struct common_options common;
	struct budget_limits limits;
	struct option_list max_section;
	struct estimator_options estimator;
	struct model_options model;
	struct size target;
	const char *pipeline;
	uint64_t keep_turns;
	bool keep_turns_given;
	struct size keep_tokens;
	const char *strategy;
	uint64_t keep_messages;
	bool keep_messages_given;
	const char *title;
	int role; /* of the artifact: an index of preferences_roles */
	struct option_list select;
	struct option_list protect;
	uint64_t cached;
	const char *dedupe;
	struct size prune_over;
	uint64_t error_tokens;
	uint64_t summary_tokens;
	bool summary_tokens_given;
	const char *rules;
	const char *execution;
	struct job_summarizer summarizer;
	struct size min_gain;
	bool at_boundary;
	bool force;
	bool best_effort;
	bool plan;
	/* Commands: events.c. NULL: none. */
	const char *decide;
	const char *before_compact;
	const char *on_compact;
};

/* What puts compaction off though it may be time. */
enum job_delay {
	DELAY_NONE,
	DELAY_BOUNDARY, /* --at-boundary: an execution runs */
	DELAY_DECIDED,  /* --decide says so: the stream leaves as it came, whatever its size */
	DELAY_COUNT,
};

/* An estimator that sessions share. */
struct job_estimator {
	struct job_estimator *next;
	char *name; /* as options or a budget record have it, or "" */
	struct estimator estimator;
};

struct job {
	struct held held; /* the stage that compacts the session when the stream has ended */
	const struct options *options;
	struct ctx_compact *all;
	struct run *run;                   /* of all sessions */
	uint64_t messages;                 /* of the session as it came */
	struct estimator_options counting; /* as asked for, or as the budget record says */
	struct estimator *estimator;       /* NULL until it is opened */
	struct estimator own;              /* where the estimator learns from this session */
	struct budget budget;
	struct models models;
	const struct model *model;       /* as the options or the budget record name it, or NULL */
	struct json_value unknown_model; /* the name in the record that no model has */
	struct phrase_file rules;        /* of --rules */
	const struct transform **pipeline; /* ended by NULL; in heap memory */
	struct selectors select;
	struct selectors protect;
	struct compaction_options how;
	struct compaction compaction;
	unsigned target_share; /* percent of the window, for a target that is not given; 0: none */
	bool has_strategy_window; /* the number of messages, of which the user says nothing */
	uint64_t target;          /* in tokens as the estimator reports them */
	uint64_t system;          /* what the context record costs, the same */
	uint64_t gain;            /* tokens that a pass would have saved which was taken back */
	bool is_due;
	enum job_delay delay;
	bool is_refused; /* it saved less than --min-gain, and was taken back */
	bool is_changed;
	bool had_calibration;        /* the budget record says what its tokens were weighed by */
	uint32_t budget_entry;       /* the last budget record, or NONE */
	struct budget_limits limits; /* of the options, else of that record */
	struct selector *when;
	struct summarizer summarizer;
	struct job_summary summary;
	bool is_triggered; /* that record has a reason that counting does not find again */
	bool is_met;
};

/* One run of ctx-compact: what all sessions share, and the sums of what is told of them. */
struct ctx_compact {
	struct options options;
	struct job pattern; /* as the options say */
	struct run *run;
	struct archive_option archive;
	struct job_estimator *estimators;
	bool has_emptied;        /* the report and the list of changes that were there */
	const char *copy_of_old; /* paths of temporary files, for the commands of events */
	const char *copy_of_new;
	bool is_done; /* --on-compact has something to be told */
	uint64_t tokens_before, tokens_after, messages_before, messages_after;
	struct buf each; /* with many sessions: what the report says of each, with commas between */
	bool has_dropped; /* messages of some session */
	bool is_delayed[DELAY_COUNT];
};

/* The last entry of that kind, or NONE. */
uint32_t job_find_last(const struct session *session, enum record_kind kind);

/* The values of --summary-role, ended by NULL. */
extern const char *const preferences_roles[];

/* Reads the options that choose transforms, findings of dedupe, messages, and what an artifact is
 * like. Sets the options that a strategy implies and the user left open. */
void preferences_parse(struct job *job, struct options *options);

/* Frees what preferences_parse has made. */
void preferences_free(struct job *job);

/* Opens the estimator: the one that the options name, else the one that the budget record names,
 * else the default. A record is data, so a command that it names is not run. Dies as
 * limits_open_estimator does. */
void job_open_estimator(struct job *job);

/* Closes the estimators of all sessions. */
void job_close_estimators(struct ctx_compact *all);

/* Sets the session's budget and the target that it must come down to, and starts the compaction. */
void job_measure(struct job *job);

/* Whether compaction is due. Counts only as many messages as the answer takes. */
bool job_is_due(struct job *job);

/* Whether the session as it came has more tokens than the budget allows. */
bool job_is_overrun(struct job *job);

/* The tokens of the session as it came. */
uint64_t job_weigh_before(struct job *job);

/* Sets the budget for the session as it is now, compacted or not. */
void job_recount(struct job *job);

/* Says where the target that the user gave is not what compaction comes down to. */
void job_say_target(const struct job *job);

/* Says how many messages of other agents pass, and are not counted. */
void job_say_outside(const struct job *job);

/* The budget record: finds the newest one of the held session, takes its limits and its model where
 * the options say nothing of them, and writes it anew behind all messages. Where there was none,
 * none is added. */
void budget_record_find(struct job *job);
void budget_record_read(struct job *job);
void budget_record_rewrite(struct job *job);

/* Appends the record for the budget as it is now. */
void budget_record_write(struct job *job, struct buf *text);

/* Whether --at-boundary puts the pass off: an execution runs, and the budget is not overrun. */
bool economy_defers(struct job *job);

/* Takes the pass back when it saves less than --min-gain, unless the budget is overrun without it.
 */
void economy_weigh(struct job *job);

/* Writes what the next request and the next ten cost with the pass and without. The session had
 * before tokens; prefix is the tokens in front of the first change. Without a model nothing is
 * written. */
void economy_write(struct job *job, uint64_t before, uint64_t prefix, struct json_writer *w);

/* The values of --summarizer-input and --fallback, each ended by NULL. */
extern const char *const summary_command_inputs[], *const summary_command_fallbacks[];

/* Checks the options of the summarizer; call behind preferences_parse. */
void summary_command_parse(struct job *job, const struct options *options);

/* Puts the text of the summarizer into the artifact of the pass, if there is one. Sets the fault
 * when the summarizer fails and nothing takes its place. */
void summary_command_run(struct job *job);

/* Writes what the summarizer was asked as members of the report. */
void summary_command_write(const struct job *job, struct json_writer *w);

void summary_command_free(struct job *job);

/* Appends the plan: one JSON object a line for each group or message. */
void plan_write(struct job *job, struct buf *text);

/* Whether --decide answers that it is time; it is asked with the budget of the session as it came.
 * Sets the run's fault when there is no answer. */
bool events_decide(struct job *job);

/* Asks --before-compact whether the plan may be carried out. Sets the run's fault when not. */
void events_ask(struct job *job);

/* Keeps what --on-compact may read: copies of the old messages, and of the new ones where no file
 * gets them. Sets the run's fault when that fails. */
void events_keep(struct job *job);

/* Calls --on-compact, if there is something to tell: written of struct command. */
void events_tell(void *self);

/* Adds to the report what it says of the session. */
void report_write(struct job *job);

/* Notes what --verbose says. */
void report_note(struct job *job);

/* Adds the sums to the report, and what was noted to what --verbose says. */
void report_finish(struct ctx_compact *all);

/* How one session is compacted: session of struct command. */
void session_pass_stages(void *self, void *session, struct stage **stages);
void session_pass_free(void *self, void *session);

enum { REFUSAL_LARGEST = 3 };

/* A group or message that stays. */
struct job_stay {
	uint64_t tokens; /* 0: there is none */
	uint64_t line;   /* 0: the message was added */
	uint32_t entry;
};

/* Finds the largest groups and messages that stay, the largest first. */
void refusal_find(struct job *job, struct job_stay largest[REFUSAL_LARGEST]);

/* Names them on standard error, with what keeps each. */
void refusal_say(struct job *job);

/* Says what was cut of what the user asked. */
void refusal_say_cuts(const struct job *job);

/* Why the entry stays where the budget cannot be met. */
const char *refusal_reason(const struct job *job, uint32_t entry);

/* The option that would free what is kept of the entry, or NULL when there is none. */
const char *refusal_option(const struct job *job, uint32_t entry);

#endif
