#ifndef CTX_PROJECT_PROJECT_H
#define CTX_PROJECT_PROJECT_H

/*
 * One run of ctx-project: the options, the state that all sessions share, and the view of one
 * session.
 *
 *     history, view, injections, merge      each session has its own
 *     shortening, plain text                all sessions share them
 */

#include "face/choices/limits.h"
#include "data/session/held.h"
#include "face/sessions/sessions.h"
#include "policy/inject/inject.h"
#include "policy/view/view.h"
#include "trim_option.h"

/* The values of --attempts; without the option, the reasoning view shows the last attempts only. */
enum project_attempts { ATTEMPTS_LAST, ATTEMPTS_ALL, ATTEMPTS_BY_VIEW };

struct options {
	struct common_options common;
	int view;
	const char *trace;
	int attempts; /* enum project_attempts */
	struct option_list select;
	struct option_list reject;
	const char *execution;
	const char *agent;
	const char *sections;
	const char *leaf;
	struct trim_option_values trim;
	struct size hold;
	struct option_list inject;
	struct option_list inject_command;
	bool with_system;
	bool text;
	const char *merge;
	const char *shorten;
	struct estimator_options estimator;
};

enum { BEHIND_MAX = 8, SECTIONS_MAX = 64 };

/* The choice of messages for the view of one session. */
struct project_view {
	struct view_choice view;
	struct selection within;
	struct trim trim;
	struct estimator *estimator;
	struct estimator own;
};

/* The state that all sessions share. */
struct project_choice {
	const struct options *options;
	struct run *run;
	bool selects; /* the options may leave out all messages; this is then reported */
	struct view_choice view;
	struct selection within;
	struct trim trim;
	struct estimator estimator; /* open if tokens are counted */
	bool counts;
	struct str section[SECTIONS_MAX]; /* of --sections */
	unsigned section_count;
	/* the stages after all sessions, in their order, ended by NULL */
	struct stage *behind[BEHIND_MAX + 1];
	unsigned behind_count;
	const struct inject *inject; /* NULL: nothing is injected */
	const struct edits *edits;
	struct project_view viewed;          /* used if no session needs a view of its own */
	uint64_t given_up, injected, joined; /* the sums of all sessions */
};

/* The part of a run that its sessions see. */
struct project {
	struct options options;
	struct project_choice choice;
};

/* The stage of views that hold the session: views of sections, and trimmed views. */
struct project_held {
	struct held held;
	struct project_choice *choice;
	struct project_view *viewed;
	bool is_empty; /* no message is in the sections */
};

/* Reads --sections. */
void project_held_parse(struct project_choice *choice);

void project_held_init(
    struct project_held *projection, struct project_choice *choice, struct project_view *viewed);

/* Reports that the view is empty because no message is in the sections, if that is so. */
void project_held_say(struct project_held *projection);

#endif
