#ifndef BUDGET_MEASURE_H
#define BUDGET_MEASURE_H

/*
 * The measurements of ctx-budget, taken from the stream message by message: token counts, the
 * figures that have triggers, the reported usage, and the breakdown.
 */

#include "policy/budget/breakdown.h"
#include "policy/budget/session_model.h"
#include "policy/budget/budget.h"
#include "tokens/fit.h"

struct measure {
	struct estimator *estimator;
	const struct budget_limits *limits;
	struct walk walk;
	uint64_t sum;     /* of counts */
	uint64_t last;    /* the count of the last message */
	uint64_t prefix;  /* the sum up to the last answer of the model */
	uint64_t system;  /* the count of the newest context record */
	uint64_t outside; /* messages of other agents, which are not in sum */
	struct budget_figures figures;
	struct fit fit;
	struct session_model named;
	struct buf scratch;
	struct breakdown breakdown;
};

/* All arguments must live as long as the measure. models is the table of the models that the
 * session may name, or NULL. */
void measure_init(struct measure *measure, struct estimator *estimator,
    const struct budget_limits *limits, const struct models *models, enum breakdown_key key);

/* Takes the next record of the stream that has tokens: a message, with its count if the caller
 * took it from the estimator, or a context record. Returns whether the record is of the agent that
 * the walk follows. */
bool measure_add(
    struct measure *measure, const struct message *message, size_t line, const uint32_t *count);

/* Sets *budget to the budget of the records read so far, and *fitted to an estimator fitted to
 * their reported usage. Returns the result of fit_apply. */
enum fit_result measure_budget(
    const struct measure *measure, struct budget *budget, struct estimator *fitted);

void measure_free(struct measure *measure);

#endif
