#ifndef TOKENS_FIT_H
#define TOKENS_FIT_H

/*
 * Learning from the usage that providers report with their responses. Each response of the session
 * is a point with two numbers: the reported tokens, of its whole prompt and its answer, and the sum
 * of the counts of all messages up to the response. A response that is several messages is one
 * point.
 *
 * Points that fit each other make a segment. A new one begins where more was reported than what
 * stands between two answers can cost, since a filter took messages out, and where less was
 * reported than before, since the client began a new context:
 *
 *     reported                          /
 *                        / . . . . . ./     3  taken out here: not what was reported of
 *               /------/ 2                  2  the client compacted: the newest context
 *          ---/                             1  intact
 *                                 counted
 *
 * A segment is intact when its reports are of this stream: its first point has little more than the
 * prompt and the tools of a client, which no log shows. All segments teach the ratio of reported to
 * counted tokens, the newest intact one also the offset.
 *
 * Usage before the last summary is of a context that is gone, so it is not used; nor is the usage
 * of the messages behind the summary that its compaction kept (facts.kept is their number). A
 * budget record that has a calibration was written by a compaction, or by a count that knew more:
 * what it says holds until more points come after it.
 */

#include "data/message/usage.h"
#include "json/write.h"
#include "tokens/estimate.h"

enum { FIT_POINTS_MIN = 3 };

struct fit_point {
	uint64_t counted;
	uint64_t reported;
};

/* Points that fit each other: their means, and the sums of products of their deviations. */
struct fit_segment {
	uint64_t points;
	bool is_intact;
	double counted, reported; /* means */
	double square, product;
	struct fit_point first, last;
};

struct fit {
	uint64_t counted;           /* the sum of counts so far */
	uint64_t points;            /* those that are taken for true, the last one excepted */
	struct fit_segment segment; /* of the last point */
	struct fit_segment intact;  /* the newest intact one before it */
	double square, product;     /* of segments that have ended */
	double through_square, through_product; /* of the line through the origin, intact points */
	double lowest, highest;                 /* the ratios of single intact points */
	struct fit_point
	    last; /* not yet part of the segment: a later part may have newer figures */
	bool has_last;
	struct buf response;      /* the id of the last response */
	uint64_t stale;           /* so many of the next messages have usage that is not used */
	struct calibration given; /* by a budget record */
	bool has_given;
	bool is_tail;    /* the stream is the end of a log, and what was reported is of that log */
	bool gave_usage; /* the estimator of that record was usage */
};

#define FIT_INIT \
	{ \
		.points = 0 \
	}

/* How the estimator was fitted. Unless it is FIT_GOOD, the name is that of the estimator that
 * counts instead: o200k_base, or calibrated where usage was asked for. */
enum fit_result {
	FIT_GOOD,
	FIT_TOO_FEW, /* no usage, or fewer than FIT_POINTS_MIN points */
	FIT_FOREIGN, /* what was reported is not of this stream */
};

/* Takes the next record of the stream: a message of the thread with its count, or a budget
 * record. */
void fit_add(struct fit *fit, const struct message *message, uint64_t count);

/* Sets ratio, offset and calibration of an estimator of kind ESTIMATOR_USAGE or
 * ESTIMATOR_CALIBRATED; others stay as they are. */
enum fit_result fit_apply(const struct fit *fit, struct estimator *estimator);

/* The same for a session that will be changed, whose counts have that sum: the cost follows the
 * ratio from what the session costs as it is. */
enum fit_result fit_apply_to(const struct fit *fit, struct estimator *estimator, uint64_t sum);

/* The number of responses that report their usage, as far as that is used. */
uint64_t fit_points(const struct fit *fit);

/* Adds all messages of a session whose entries have their counts. */
void fit_session(struct fit *fit, const struct session *session);

/* Writes what the estimator weighs by as a member of an open object. */
void fit_write(const struct estimator *estimator, struct json_writer *w);

void fit_free(struct fit *fit);

#endif
