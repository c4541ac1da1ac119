#ifndef CTX_COMPACT_JOB_H
#define CTX_COMPACT_JOB_H

/*
 * One run of ctx-compact. The options are read once, into a job. Each session has a copy of that
 * job, with its own records, budget and compaction.
 */

#include "data/session/held.h"
#include "face/changes.h"
#include "face/choices/archive_option.h"
#include "face/choices/limits.h"
#include "face/output/in_place.h"
#include "face/run.h"
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

/* The request to the summarizer, and its result. */
struct job_summary {
	bool is_asked;
	bool is_told; /* its text is in the artifact */
	bool is_update;
	uint64_t messages;
	uint64_t most;   /* the most tokens that it may write */
	uint64_t tokens; /* the tokens that it wrote */
	unsigned runs;
	struct buf invented; /* a JSON array of names */
	struct buf reason;   /* why its text is not in the artifact */
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

/* Why compaction is put off, although it may be due. */
enum job_delay {
	DELAY_NONE,
	DELAY_BOUNDARY, /* --at-boundary: an execution runs */
	DELAY_DECIDED,  /* --decide says so: the stream stays unchanged, whatever its size */
	DELAY_COUNT,
};

/* An estimator that sessions share. */
struct job_estimator {
	struct job_estimator *next;
	char *name; /* as in the options or in a budget record, or "" */
	struct estimator estimator;
};

struct job {
	struct held held; /* the stage that compacts the session when the stream has ended */
	const struct options *options;
	struct ctx_compact *all;
	struct run *run;                   /* of all sessions */
	uint64_t messages;                 /* of the session as it came */
	struct estimator_options counting; /* from the options, or from the budget record */
	struct estimator *estimator;       /* NULL until it is opened */
	struct estimator own;              /* used if the estimator learns from this session */
	struct budget budget;
	struct models models;
	const struct model *model;         /* named by the options or the budget record, or NULL */
	struct json_value unknown_model;   /* a name in the record that is no known model's */
	struct phrase_file rules;          /* of --rules */
	const struct transform **pipeline; /* ended by NULL; in heap memory */
	struct selectors select;
	struct selectors protect;
	struct compaction_options how;
	struct compaction compaction;
	unsigned target_share; /* percent of the window, as the default target; 0: none */
	/* the strategy sets the number of messages, since the user did not */
	bool has_strategy_window;
	uint64_t target; /* in tokens, as the estimator reports them */
	uint64_t system; /* the tokens of the context record, the same */
	uint64_t gain;   /* tokens that a pass saved which was taken back */
	bool is_due;
	enum job_delay delay;
	bool is_refused; /* the pass saved less than --min-gain, and was taken back */
	bool is_changed;
	bool had_calibration;        /* the budget record has the calibration of its tokens */
	uint32_t budget_entry;       /* the last budget record, or NONE */
	struct budget_limits limits; /* from the options, or else from that record */
	struct selector *when;
	struct summarizer summarizer;
	struct job_summary summary;
	bool is_triggered; /* that record has a reason that counting cannot find */
	bool is_met;
};

/* One run of ctx-compact: the state that all sessions share, and the sums for the report. */
struct ctx_compact {
	struct options options;
	struct job pattern; /* the job of the options, copied for each session */
	struct run *run;
	struct archive_option archive;
	struct job_estimator *estimators;
	bool has_emptied;        /* the existing report and list of changes were emptied */
	const char *copy_of_old; /* paths of temporary files, for the commands of events */
	const char *copy_of_new;
	bool is_done; /* there is something to report to --on-compact */
	uint64_t tokens_before, tokens_after, messages_before, messages_after;
	struct buf each;  /* with many sessions: the report of each, with commas between */
	bool has_dropped; /* messages of some session */
	bool is_delayed[DELAY_COUNT];
};

/* The last entry of that kind, or NONE. */
uint32_t job_find_last(const struct session *session, enum record_kind kind);

/* The values of --summary-role, ended by NULL. */
extern const char *const preferences_roles[];

/* Reads the options for transforms, for findings of dedupe, for the choice of messages, and for the
 * artifact. Sets the options that the strategy implies and the user did not give. */
void preferences_parse(struct job *job, struct options *options);

/* Frees the memory of preferences_parse. */
void preferences_free(struct job *job);

/* Opens the estimator that the options name, else the one that the budget record names, else the
 * default. A record is data, so a command named in it is not run. Ends the program as
 * limits_open_estimator does. */
void job_open_estimator(struct job *job);

/* Closes the estimators of all sessions. */
void job_close_estimators(struct ctx_compact *all);

/* Sets the session's budget and the target of compaction, and starts the compaction. */
void job_measure(struct job *job);

/* Whether compaction is due. Counts no more messages than the answer needs. */
bool job_is_due(struct job *job);

/* Whether the session as it came has more tokens than the budget allows. */
bool job_is_overrun(struct job *job);

/* The tokens of the session as it came. */
uint64_t job_weigh_before(struct job *job);

/* Sets the budget for the session as it is now, compacted or not. */
void job_recount(struct job *job);

/* Says so if compaction does not use the target that the user gave. */
void job_say_target(const struct job *job);

/* Says how many messages of other agents pass uncounted. */
void job_say_outside(const struct job *job);

/* The budget record: finds the newest one of the held session, takes its limits and its model
 * unless the options set them, and writes it anew after all messages. Without one, none is
 * added. */
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

/* Writes the cost of the next request and of the next ten, with the pass and without. The session
 * had before tokens; prefix is the number of tokens before the first change. Without a model,
 * nothing is written. */
void economy_write(struct job *job, uint64_t before, uint64_t prefix, struct json_writer *w);

/* The values of --summarizer-input and --fallback, each ended by NULL. */
extern const char *const summary_command_inputs[], *const summary_command_fallbacks[];

/* Checks the options of the summarizer; call after preferences_parse. */
void summary_command_parse(struct job *job, const struct options *options);

/* Puts the text of the summarizer into the artifact of the pass, if there is one. Sets the fault
 * when the summarizer fails and there is no fallback. */
void summary_command_run(struct job *job);

/* Writes the request to the summarizer as members of the report. */
void summary_command_write(const struct job *job, struct json_writer *w);

void summary_command_free(struct job *job);

/* Appends the plan: a line with a JSON object for each group or message. */
void plan_write(struct job *job, struct buf *text);

/* Whether --decide answers that compaction is due; it gets the budget of the session as read. Sets
 * the run's fault when there is no answer. */
bool events_decide(struct job *job);

/* Asks --before-compact whether the plan may be carried out. Sets the run's fault when not. */
void events_ask(struct job *job);

/* Keeps copies for --on-compact: of the old messages, and of the new ones if they are not written
 * to a file. Sets the run's fault when that fails. */
void events_keep(struct job *job);

/* Calls --on-compact, if there is something to report: the member written of struct command. */
void events_tell(void *self);

/* Adds the session to the report. */
void report_write(struct job *job);

/* Notes the lines of --verbose for the session. */
void report_note(struct job *job);

/* Adds the sums to the report, and the notes to the lines of --verbose. */
void report_finish(struct ctx_compact *all);

/* The stages of one session: session of struct command. */
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

/* Names these on standard error, each with the reason why it stays. */
void refusal_say(struct job *job);

/* Says which texts of the user's request were cut. */
void refusal_say_cuts(const struct job *job);

/* Why the entry stays although the budget is not met. */
const char *refusal_reason(const struct job *job, uint32_t entry);

/* The option that would let the entry be reduced, or NULL when there is none. */
const char *refusal_option(const struct job *job, uint32_t entry);

#endif
