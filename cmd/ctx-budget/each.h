#ifndef CTX_BUDGET_EACH_H
#define CTX_BUDGET_EACH_H

/*
 * With --each, every operand is a session with a measure of its own.
 *
 *     operand   0     1     2
 *     session   [..]  [..]  [..]       measured one after another, reported together at the end
 *
 * An operand that cannot be read is reported and makes the run fail, but the others are still read.
 */

#include "policy/budget/measure.h"

struct each_session {
	const char *file;
	struct measure measure;
	bool is_begun;          /* the source has reached it */
	bool is_failed;         /* it could not be read, or not to its end */
	bool is_foreign;        /* there are records, but none that could be read */
	const char *looks_like; /* the dialect of its foreign records, or NULL */
};

struct each {
	struct input_passer passer;
	struct run *run;
	struct each_session *session; /* one for each operand */
	unsigned count;
	unsigned begun; /* sessions that the source has begun to read */
};

/* Makes a measure for each operand of the run, but not for files that --agents adds. The run must
 * be open. */
void each_init(struct each *each, struct run *run, struct estimator *estimator,
    const struct budget_limits *limits, const struct models *models);

/* The measure of the operand that the run reads. Call it after each run_read. */
struct measure *each_measure(struct each *each);

/* Ends the newest session. Call it when the stages have ended. */
void each_end(struct each *each);

void each_free(struct each *each);

#endif
