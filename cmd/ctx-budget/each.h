#ifndef EACH_H
#define EACH_H

/*
 * With --each every operand is a session of its own, with a measure of its own.
 *
 *     operand   0     1     2
 *     session   [..]  [..]  [..]       measured one after another, reported together at the end
 */

#include "face/input/source.h"
#include "measure.h"

struct each_session {
	const char *file;
	struct measure measure;
	bool is_foreign;        /* there are records, but none that is read */
	bool is_odd;            /* there are odd records beside messages, which are named */
	const char *looks_like; /* the dialect of its foreign records, or NULL */
};

struct each {
	struct each_session *session; /* one for each operand */
	unsigned count;
	unsigned begun;              /* sessions of which the source has begun to read */
	struct source_counts before; /* of the source, when the newest of them began */
};

/* Makes a measure for each operand of the source, which is open. */
void each_init(struct each *each, const struct source *source, struct estimator *estimator,
    const struct budget_limits *limits);

/* The measure of the operand that the source reads. Call it after each source_fill. */
struct measure *each_measure(struct each *each, struct source *source);

/* Call at the end of the source. */
void each_end(struct each *each, struct source *source);

void each_free(struct each *each);

#endif
