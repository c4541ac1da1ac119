#ifndef TOKENS_FIT_H
#define TOKENS_FIT_H

/*
 * Learning from the usage that providers report with their responses. Each response of the session
 * is a point with two numbers: the reported tokens, of its whole prompt and its answer, and the sum
 * of the counts of all messages up to the response. Usage before the last summary is of a context
 * that is gone, so it is not used; nor is the usage of the messages behind the summary that its
 * compaction kept (facts.kept is their number). A response that is several messages is one point.
 */

#include "data/usage.h"
#include "tokens/estimate.h"

enum { FIT_POINTS_MIN = 3 };

struct fit {
	uint64_t counted; /* the sum of counts so far */
	uint64_t points;
	double ratio;   /* least squares through the origin: reported = ratio * counted */
	double lowest;  /* the lowest ratio of a single point */
	double highest; /* the highest ratio of a single point */
	double product_sum;
	double square_sum;
	struct usage last; /* of the newest response */
	uint64_t last_counted;
	uint64_t stale;      /* so many of the next messages have usage that is not used */
	struct buf response; /* the id of the last response */
	/* To take the last point back: its addends, and lowest and highest before it. */
	double last_product, last_square;
	double last_lowest, last_highest;
};

#define FIT_INIT \
	{ \
		.points = 0 \
	}

/* Takes the next message of the thread and its count. */
void fit_add(struct fit *fit, const struct message *message, uint64_t count);

/*
 * Sets the offset of an estimator of kind ESTIMATOR_USAGE, or the ratio of one of kind
 * ESTIMATOR_CALIBRATED; others stay as they are. Returns false when there is not enough to learn
 * from: no usage, or fewer than FIT_POINTS_MIN points. The estimator then counts as o200k_base,
 * which is also its name.
 */
bool fit_apply(const struct fit *fit, struct estimator *estimator);

/* Adds all messages of a session whose entries have their counts. */
void fit_session(struct fit *fit, const struct session *session);

void fit_free(struct fit *fit);

#endif
