#ifndef MEASURE_H
#define MEASURE_H

/*
 * What ctx-budget gathers from the stream, message by message: counts, what triggers ask for, the
 * usage that was reported, and the breakdown.
 */

#include "breakdown.h"
#include "policy/budget.h"
#include "tokens/fit.h"

/* The most that is allowed of each; 0 is no limit. */
struct triggers {
	uint64_t tool_results; /* not compacted ones */
	uint64_t messages;
	uint64_t turns;
	uint64_t steps; /* assistant messages of the newest execution */
	uint64_t age;   /* seconds between the first and the last timestamp */
};

struct measure {
	struct estimator *estimator;
	struct walk walk;
	struct fit fit;
	struct breakdown breakdown;
	struct budget_limits limits;
	uint64_t sum;    /* of counts */
	uint64_t last;   /* the count of the last message */
	uint64_t prefix; /* of counts up to the last answer of the model */
	uint64_t system; /* what the newest context record counts */
	uint64_t messages;
	uint64_t tool_results;
	uint64_t steps;
	int64_t first_time; /* milliseconds, or -1 */
	int64_t last_time;
};

void measure_init(struct measure *measure, struct estimator *estimator, enum breakdown_key key);

/* Takes the next record of the stream that weighs: a message of the thread with its count (which
 * the caller took from the estimator), or a context record. Returns whether it belongs to the
 * thread. */
bool measure_add(
    struct measure *measure, const struct message *message, size_t line, const uint32_t *count);

/*
 * The budget of what was read so far, and the estimator as fitted to it. False when there was not
 * enough usage to fit: estimator then is plain o200k_base.
 */
bool measure_budget(const struct measure *measure, const struct triggers *triggers, bool when_fired,
    struct budget *budget, struct estimator *fitted);

/* Milliseconds since 1970 of a timestamp: ISO 8601 text, or a number of seconds or milliseconds;
 * -1 when it is neither. */
int64_t measure_time(struct json_value timestamp);

void measure_free(struct measure *measure);

#endif
