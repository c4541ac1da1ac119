#ifndef METER_H
#define METER_H

/*
 * The stage that measures what passes: each message goes into the measure and on with its count
 * annotated, or is not passed at all where only the answer is asked for.
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
	bool is_weighed;       /* the last record was a message of the thread */
	const uint32_t *count; /* of the next record, NULL: to be counted */
	struct message message;
};

void meter_init(struct meter *meter, struct measure *measure);

/* What needs the whole session before the first answer: a command as estimator, which is run once
 * for all, --when and --cuts. */
struct scale {
	struct held held;
	struct meter *meter;         /* the next stage */
	const struct selector *when; /* NULL: none */
	uint64_t selected;           /* messages that it picks */
};

void scale_init(struct scale *scale, struct meter *meter, const struct selector *when);

void scale_free(struct scale *scale);

#endif
