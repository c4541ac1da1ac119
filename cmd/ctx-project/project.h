#ifndef CTX_PROJECT_PROJECT_H
#define CTX_PROJECT_PROJECT_H

/*
 * One run of ctx-project: the options, and what all kinds of views share.
 */

#include "face/limits.h"
#include "face/run.h"
#include "history.h"
#include "policy/view.h"
#include "trimming.h"

/* The values of --attempts; without it the reasoning view has the last ones. */
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
	struct history_options history;
	struct trimming_options trim;
	struct size hold;
	struct option_list inject;
	struct option_list inject_command;
	const char *inject_title;
	bool with_system;
	bool text;
	const char *merge;
	const char *shorten;
	bool shorten_errors;
	struct option_list shorten_where;
	const char *redact;
	struct option_list redact_pattern;
	struct option_list where;
	struct estimator_options estimator;
};

enum { BEHIND_MAX = 8 };

/* What all views of one run share. */
struct choice {
	struct view_choice view;
	struct selection within;
	struct trim trim;
	struct estimator estimator; /* open where tokens are asked for */
	bool counts;
	struct history history;           /* in front of the view */
	struct stage *behind[BEHIND_MAX]; /* stages that get the view, in their order */
	unsigned behind_count;
};

/* Runs the stage of a view, and the stages behind it. */
void project_chain(struct run *run, struct choice *choice, struct stage *view);

/* The views that need the whole session: with --sections, and where the choice trims. */
void project_held(struct run *run, const struct options *options, struct choice *choice);

#endif
