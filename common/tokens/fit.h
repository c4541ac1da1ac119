#ifndef TOKENS_FIT_H
#define TOKENS_FIT_H

/*
 * Learning from the usage that providers report with their responses. Each response of the session
 * is a point: the tokens that were reported for it (its whole prompt and its answer) and the sum of
 * counts of all messages up to it. Usage that stands before the last summary is of a context that
 * is gone, and so is that of the messages which the summary's compaction kept (facts.kept of
 * them). A response whose parts are several messages counts once.
 */

#include "data/usage.h"
#include "tokens/estimate.h"

enum { FIT_POINTS_MIN = 3 };

struct fit {
	uint64_t counted;    /* the sum of counts so far */
	uint64_t points;
	double ratio;        /* least squares through the origin: reported = ratio * counted */
	double lowest;       /* the spread: the ratios of single points */
	double highest;
	double product_sum;
	double square_sum;
	struct usage last;   /* of the newest response */
	uint64_t last_counted;
	uint64_t stale;      /* messages after a summary whose usage is not used */
	struct buf response; /* the id of the last response */
	double last_product, last_square; /* of the last point, to take it back */
	double last_lowest, last_highest; /* the spread before it */
};

#define FIT_INIT {.points = 0}

/* Takes the next message of the thread and its count. */
void fit_add(struct fit *fit, const struct message *message, uint64_t count);

/*
 * Sets ratio or offset of an estimator of kind ESTIMATOR_USAGE or ESTIMATOR_CALIBRATED (nothing for
 * others). False when there is not enough to learn from: no usage, or fewer than FIT_POINTS_MIN
 * points; the estimator then is plain o200k_base, and says so in its name.
 */
bool fit_apply(const struct fit *fit, struct estimator *estimator);

/* All of it over a session whose entries have their counts. */
void fit_session(struct fit *fit, const struct session *session);

void fit_free(struct fit *fit);

#endif
