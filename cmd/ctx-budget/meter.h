#ifndef CTX_BUDGET_METER_H
#define CTX_BUDGET_METER_H

/*
 * The stage that measures the stream. Each message is added to the measure, and then passed with
 * its count annotated; where only the answer is asked for, nothing is passed.
 *
 *     source -> meter -> sink
 *     source -> scale -> meter -> sink      the scale holds the session and weighs it as a whole
 *
 * A message that is counted and that the selector picks, adds to the figure of --when.
 */

#include "data/session/held.h"
#include "data/select/selector.h"
#include "policy/budget/measure.h"

struct meter {
	struct stage stage;
	struct measure *measure;
	bool passes;                 /* the stream is written; budget records never are */
	bool annotates;              /* a message leaves with metadata.tokens */
	const struct selector *when; /* NULL: none */
	struct session *session;     /* of the scale, and in it the next record with its count; */
	const struct entry *entry;   /* NULL: the stream is not held, and the meter counts */
};

void meter_init(struct meter *meter, struct measure *measure, const struct selector *when);

/* The stage that holds the session, for the options that need all of it before the first answer:
 * --when with terms that look at the session, --cuts, and a command as estimator, which is run once
 * for all messages. */
struct scale {
	struct held held;
	struct meter *meter; /* the next stage */
};

void scale_init(struct scale *scale, struct meter *meter);

void scale_free(struct scale *scale);

#endif
