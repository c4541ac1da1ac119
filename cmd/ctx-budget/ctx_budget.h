#ifndef CTX_BUDGET_CTX_BUDGET_H
#define CTX_BUDGET_CTX_BUDGET_H

/* One run of ctx-budget: its options, and the state of each session. */

#include "cuts.h"
#include "each.h"
#include "face/choices/limits.h"
#include "meter.h"
#include "report.h"

struct options {
	struct common_options common;
	struct budget_limits limits;
	struct option_list max_section;
	struct estimator_options estimator;
	struct model_options model;
	bool models;
	bool verify;
	bool text;
	bool table, json, brief;
	bool now;
	int by;
	bool by_given;
	uint64_t top;
	bool cuts;
	bool each;
	bool annotate;
	bool check;
	int color;
};

/* One session. As there may be very many, a session that is not held has no scale. */
struct session_count {
	struct meter meter;
	struct measure measure;
	struct cuts cuts;
	struct scale scale;
};

/* One run. */
struct ctx_budget {
	struct options options;
	enum report_form form;
	struct run *run;
	struct estimator estimator;
	struct models models;
	const struct model *model;
	/* the models that sessions may name for their window; or NULL */
	const struct models *session_models;
	struct selector *when;
	struct session_count
	    *newest;      /* the session that began last; without --session-key, the only one */
	bool has_written; /* a report was written */
	struct each each;
};

#endif
