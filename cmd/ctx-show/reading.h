#ifndef CTX_SHOW_READING_H
#define CTX_SHOW_READING_H

/*
 * The stage in front of what is shown: it numbers the records, and holds a session that is not too
 * large, so that the end is known when the first line is written.
 *
 *     source -> reading -> steps
 *
 * What is larger passes from the record on that was one too many; with must_hold all is held.
 */

#include "data/session/held.h"
#include "tokens/estimate.h"

enum { READING_MOST = 16 << 20 }; /* bytes that are held */

/* What is known of the record that the next stage takes. */
struct reading_record {
	uint64_t number;           /* of its line, or of the message */
	struct session *session;   /* NULL: the end is not known, nor what follows */
	const struct entry *entry; /* of it */
	uint8_t keep;              /* of it, enum keep */
	uint64_t total;            /* tokens of all messages that are counted */
	bool is_known;             /* the session has ended */
};

struct reading {
	struct held held;
	struct estimator *estimator;
	bool must_hold, passes;
	uint64_t bytes;
	uint64_t messages; /* that were made of several records, or of parts of one */
	uint64_t *number;  /* by entry */
	size_t count, cap;
	struct reading_record record;
};

/* With passes nothing is held. */
void reading_init(
    struct reading *reading, struct estimator *estimator, bool must_hold, bool passes);

void reading_free(struct reading *reading);

#endif
