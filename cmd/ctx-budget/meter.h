#ifndef METER_H
#define METER_H

/*
 * The stage that measures the stream. Each message is added to the measure, and then passed with
 * its count annotated; where only the answer is asked for, nothing is passed.
 *
 *     source -> meter -> sink
 *     source -> scale -> meter -> sink      the scale holds the session and weighs it as a whole
 */

#include "data/held.h"
#include "data/selector.h"
#include "measure.h"

struct meter {
	struct stage stage;
	struct measure *measure;
	bool passes;           /* the stream is written; budget records never are */
	bool annotates;        /* a message leaves with metadata.tokens */
	bool is_weighed;       /* the last record was one that measure_add counted */
	const uint32_t *count; /* the count of the next record; NULL: the meter counts it */
	struct message message;
};

void meter_init(struct meter *meter, struct measure *measure);

/* The stage that holds the session, for the options that need all of it before the first answer:
 * --when, --cuts, and a command as estimator, which is run once for all messages. */
struct scale {
	struct held held;
	struct meter *meter;         /* the next stage */
	const struct selector *when; /* NULL: none */
	uint64_t selected;           /* the number of messages that the selector picks */
};

void scale_init(struct scale *scale, struct meter *meter, const struct selector *when);

void scale_free(struct scale *scale);

#endif
