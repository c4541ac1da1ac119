#ifndef CTX_BUDGET_METER_H
#define CTX_BUDGET_METER_H

/*
 * The stage that measures the stream. It adds each message to the measure, then passes it, maybe
 * annotated with its count. If only a report is asked for, it passes nothing.
 *
 *     source -> meter -> sink
 *     source -> scale -> meter -> sink      the scale holds the session and weighs it as a whole
 *
 * A counted message that the selector matches adds to the figure of --when.
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
	struct session *session;     /* the session of the scale, … */
	/* … and its next record, with its count; NULL: nothing is held, and the meter counts */
	const struct entry *entry;
};

void meter_init(struct meter *meter, struct measure *measure, const struct selector *when);

/* The stage that holds the session, for options that need the whole session first: --when with
 * terms that depend on the session, --cuts, and an estimator that is a command, which is run once
 * for all messages. */
struct scale {
	struct held held;
	struct meter *meter; /* the next stage */
};

void scale_init(struct scale *scale, struct meter *meter);

void scale_free(struct scale *scale);

#endif
