#ifndef BUDGET_BUDGET_H
#define BUDGET_BUDGET_H

/*
 * The token budget of a session: how many tokens the window holds, how many are used and reserved,
 * how many remain, and whether it is time to compact. All figures are tokens.
 */

#include "base/buf.h"
#include "base/number.h"
#include "data/select/selector.h"
#include "json/write.h"
#include "policy/budget/models.h"
#include "policy/budget/section_limits.h"

/* The reasons for which compaction is due, in their order in the record. */
enum budget_reason {
	BUDGET_SOFT_THRESHOLD, /* used >= soft */
	BUDGET_HEADROOM,       /* remaining < headroom */
	BUDGET_WINDOW,         /* used > what the reserves leave of the window */
	BUDGET_TRIGGERS,       /* from here on: a figure is over its limit */
	BUDGET_TOOL_RESULTS = BUDGET_TRIGGERS,
	BUDGET_MESSAGES,
	BUDGET_TURNS,
	BUDGET_STEPS,
	BUDGET_AGE,
	BUDGET_WHEN,
	BUDGET_SECTION,
	BUDGET_REASONS,
};

/*
 * The limits that the user gave. The comment beside each size is its default. The member limit
 * replaces all the other sizes except reserve_system: the window is the limit, nothing is reserved
 * for the answer, and there is no headroom. So compaction is due when the limit is exceeded and not
 * before.
 */
struct budget_limits {
	struct size window;            /* that of the session's model; 128k */
	struct size reserve_output;    /* 16k, at most a quarter of the window */
	struct size reserve_system;    /* the count of the newest context record */
	struct size headroom;          /* 2k, at most 1/32 of the window */
	struct size soft;              /* 80%, at most what reserves and headroom leave */
	struct size limit;             /* none */
	bool has[BUDGET_REASONS];      /* the trigger is set */
	uint64_t most[BUDGET_REASONS]; /* of a trigger: the largest figure; an age in seconds */
	const char *when;              /* as the user gave it: SELECTOR>N */
	/* BUDGET_SECTION: no section may be over its limit, so that most is 0. */
	struct section_limits sections;
};

/* The figures that have triggers, of the messages counted so far. */
struct budget_figures {
	uint64_t of[BUDGET_REASONS];
	uint64_t section[SECTION_LIMITS_MAX]; /* tokens of each section that has a limit */
	int64_t first_time;                   /* of a message that may go: milliseconds, or -1 */
	int64_t last_time;
	bool is_asked;    /* a message of the user came */
	bool is_answered; /* and an answer after it: the framing of the task is over */
};

#define BUDGET_FIGURES_INIT \
	{ \
		.first_time = -1, .last_time = -1 \
	}

struct budget {
	const char *estimator;
	uint64_t window;
	uint64_t used;
	uint64_t reserved_output;
	uint64_t reserved_system;
	uint64_t headroom;
	uint64_t soft;
	uint64_t target;               /* the size after a compaction, unless the user gives one */
	uint64_t remaining;            /* max(0, window - used - both reserves) */
	struct budget_figures figures; /* set before budget_set */
	/* The model that the session names (policy/budget/session_model.h), whose window is the
	 * default; or NULL. Set before budget_set. */
	const struct model *session_model;
	const struct budget_limits *limits;
	unsigned said;    /* triggers that are set regardless of the figures, as bits */
	unsigned reasons; /* bit r is set when reason r holds */
	bool compact;     /* a reason holds */
	bool hard_stop;   /* the budget cannot be met; set by ctx-compact only */
};

/* Sets everything but estimator, figures, session_model, said and hard_stop. limits must live as
 * long as the budget. system is the count of the newest context record (estimate_context). */
void budget_set(
    struct budget *budget, const struct budget_limits *limits, uint64_t used, uint64_t system);

/* Whether a trigger is set. */
bool budget_has_trigger(const struct budget_limits *limits);

/* Whether the message ages: by its own members (role, metadata) a compaction may drop it some day.
 * The framing of the task does not age (policy/framing.h); this function does not know the
 * framing. */
bool budget_ages(const struct message *message);

/* Adds a message of the thread to the figures, by the walk's verdict. The caller sets two figures
 * that are not known here: figures->of[BUDGET_WHEN], the messages that the selector picks, and the
 * tokens of the sections. budget_count_sections then counts the sections that are over their
 * limits. */
void budget_count(
    struct budget_figures *figures, const struct message *message, const struct verdict *verdict);

void budget_count_sections(struct budget_figures *figures, const struct budget_limits *limits,
    const struct estimator *estimator);

/* Sets the budget again, for another number of used tokens and the current figures. */
void budget_reuse(struct budget *budget, uint64_t used);

/* Compiles SELECTOR>N, which is split at the last ">". Returns NULL, with the error set, when it
 * cannot be read. */
struct selector *budget_parse_when(const char *text, uint64_t *most, struct selector_error *error);

/* The smallest number of used tokens at which compaction is due. */
uint64_t budget_due(const struct budget *budget);

/* The most tokens that messages may use within the budget: the window less both reserves. */
uint64_t budget_room(const struct budget *budget);

/* Takes from a budget record each limit that is not set yet. */
void budget_read(struct json_value record, struct budget_limits *limits);

static inline bool
budget_has(const struct budget *budget, enum budget_reason reason)
{
	return budget->reasons >> reason & 1;
}

/* The name of a reason in the record. */
struct str budget_reason_name(enum budget_reason reason);

/* Writes the members of the record into an open object. */
void budget_write_members(const struct budget *budget, struct json_writer *w);

#endif
