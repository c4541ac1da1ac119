#ifndef CTX_SHOW_READING_H
#define CTX_SHOW_READING_H

/*
 * The stage before the output: it numbers the records, and holds a session that is not too large,
 * so that its end is known when the first line is written.
 *
 *     source -> reading -> steps
 *
 * A larger session is passed on as soon as it exceeds READING_MOST; with must_hold, all of it is
 * held.
 */

#include "data/line_number.h"
#include "data/session/held.h"

enum { READING_MOST = 16 << 20 }; /* bytes that are held */

struct reading_place {
	uint64_t number;  /* of the record (data/line_number.h); 0: none */
	uint64_t line;    /* its line in the log: the input, or the log made of it */
	const char *file; /* NULL: none */
	bool is_line;     /* line is greater than all before it in the file */
};

/* Facts about the record that the next stage takes. */
struct reading_record {
	struct reading_place place;
	struct session *session;   /* the whole session; NULL: later records are not known */
	const struct entry *entry; /* with session: the entry of the record, … */
	uint8_t keep;              /* … why compaction keeps it (enum keep), … */
	uint64_t total;            /* … and the tokens of all counted messages */
};

struct reading {
	struct held held;
	struct estimator *estimator;
	bool must_hold, passes;
	uint64_t bytes;
	uint64_t messages, records;  /* messages and records so far that a reader made */
	struct reading_place *place; /* by entry */
	size_t count, cap;
	struct reading_record record;
};

/* With passes, nothing is held. */
void reading_init(
    struct reading *reading, struct estimator *estimator, bool must_hold, bool passes);

void reading_free(struct reading *reading);

#endif
