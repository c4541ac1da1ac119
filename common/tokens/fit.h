#ifndef TOKENS_FIT_H
#define TOKENS_FIT_H

/*
 * Learning from the usage that providers report with their responses. Each response of the session
 * is a point with two numbers: the reported tokens, of its whole prompt and its answer, and the sum
 * of the counts of all messages up to the response. A response that is several messages is one
 * point.
 *
 * Points that fit each other make a segment. A new segment begins in two cases. The reported tokens
 * grew more than the messages between two answers can cost: a filter has removed messages. Or the
 * reported tokens are fewer than before: the client began a new context:
 *
 *     reported                          /
 *                        / . . . . . ./     3  messages were removed: reports of another stream
 *               /------/ 2                  2  the client compacted: the newest context
 *          ---/                             1  intact
 *                                 counted
 *
 * A segment is intact when its reports are about this stream: then its first report is greater than
 * the count only by the prompt and the tools of a client, which no log has. The ratio of reported
 * to counted tokens is learnt from all segments, the offset only from the newest intact one.
 *
 * Usage before the last summary is about a context that is gone, so it is not used. The same is
 * true for the messages after the summary that its compaction kept (facts.kept is their number). A
 * budget record with a calibration was written by a compaction, or by a count that had more
 * messages: this calibration is used until more points follow.
 */

#include "json/write.h"
#include "tokens/estimate.h"

enum { FIT_POINTS_MIN = 3 };

struct fit_point {
	uint64_t counted;
	uint64_t reported;
};

/* Points that fit each other: their means, and sums of products of their deviations from these. */
struct fit_segment {
	uint64_t points;
	bool is_intact;
	double counted, reported; /* means */
	double square, product;   /* of counted with itself, and with reported */
	struct fit_point first, last;
};

struct fit {
	uint64_t counted;                       /* the sum of counts so far */
	uint64_t points;                        /* the points that are used, without last */
	struct fit_segment segment;             /* the segment of the newest point before last */
	struct fit_segment intact;              /* the newest intact segment before that one */
	double square, product;                 /* the sums over all segments that have ended */
	double through_square, through_product; /* sums for a line through 0; intact points only */
	double lowest, highest;                 /* the ratios of single intact points */
	struct fit_point
	    last; /* in no segment yet: a later part of the response may have newer figures */
	bool has_last;
	struct buf response;      /* the id of the last response */
	uint64_t stale;           /* the number of next messages whose usage is not used */
	struct calibration given; /* the calibration of a budget record */
	bool has_given;
	bool is_tail;    /* the stream is the end of a log, and the reports are about that log */
	bool gave_usage; /* the estimator of that budget record was usage */
};

#define FIT_INIT \
	{ \
		.points = 0 \
	}

/* Whether the estimator could be fitted. If not, its name becomes that of the estimator that is
 * used instead: o200k_base, or calibrated instead of usage. */
enum fit_result {
	FIT_GOOD,
	FIT_TOO_FEW, /* no usage, or fewer than FIT_POINTS_MIN points */
	FIT_FOREIGN, /* the reports are not about this stream */
};

/* Adds the next record of the stream: a message of the thread with its count, or a budget
 * record. */
void fit_add(struct fit *fit, const struct message *message, uint64_t count);

/* Sets ratio, offset and calibration of an estimator of kind ESTIMATOR_USAGE or
 * ESTIMATOR_CALIBRATED; others stay as they are. */
enum fit_result fit_apply(const struct fit *fit, struct estimator *estimator);

/* The same for a session that will be changed. sum is the sum of its counts before the changes. At
 * this sum the cost is the present cost; from there it follows the ratio. */
enum fit_result fit_apply_to(const struct fit *fit, struct estimator *estimator, uint64_t sum);

/* The number of responses whose reported usage is used. */
uint64_t fit_points(const struct fit *fit);

/* Adds all messages of a session. The tokens of its entries must have been counted. */
void fit_session(struct fit *fit, const struct session *session);

/* Writes the calibration of the estimator, as a member of the object that is open in w. */
void fit_write(const struct estimator *estimator, struct json_writer *w);

void fit_free(struct fit *fit);

#endif
