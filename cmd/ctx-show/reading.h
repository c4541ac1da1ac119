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

/* What the numbers that are shown are as integers, so that they are in order: a line, and below it
 * which one of the messages that begin on that line, from 1. */
enum { READING_PART_BITS = 24 };

struct reading_place {
	uint64_t number;  /* of the record; 0: none */
	uint64_t line;    /* of it in the log, which is the input or what is made of it */
	const char *file; /* NULL: none */
	bool is_line;     /* greater than those before it in the file */
};

/* What is known of the record that the next stage takes. */
struct reading_record {
	struct reading_place place;
	struct session *session;   /* which has ended; NULL: what follows is not known */
	const struct entry *entry; /* with it: that of the record, */
	uint8_t keep;              /* why compaction keeps it (enum keep), */
	uint64_t total;            /* and the tokens of all messages that are counted */
};

struct reading {
	struct held held;
	struct estimator *estimator;
	bool must_hold, passes;
	uint64_t bytes;
	uint64_t messages, records;  /* that a reader made */
	struct reading_place *place; /* by entry */
	size_t count, cap;
	struct reading_record record;
};

/* Reads LINE or LINE.K; without K it is the first of the line, with is_last the last one. Returns
 * whether text is that. */
bool reading_number(struct str text, bool is_last, uint64_t *number);

/* The line of the number, and which of its messages it is, from 1. */
static inline uint64_t
reading_number_line(uint64_t number)
{
	return number >> READING_PART_BITS;
}

static inline uint64_t
reading_number_part(uint64_t number)
{
	return number - (reading_number_line(number) << READING_PART_BITS);
}

/* Appends it as it is read; of the first message of a line, the line. */
void reading_number_add(struct buf *buf, uint64_t number);

/* With passes nothing is held. */
void reading_init(
    struct reading *reading, struct estimator *estimator, bool must_hold, bool passes);

void reading_free(struct reading *reading);

#endif
