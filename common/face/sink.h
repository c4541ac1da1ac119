#ifndef FACE_SINK_H
#define FACE_SINK_H

/*
 * The end of every chain of stages: writes records, and counts them. Everything about the bytes
 * between two records is decided here and nowhere else:
 *
 *     line ends        a record that came keeps its own; one is put where the last record lacks it
 *                      and another follows; a record that was added without one gets one, unless
 *                      the input ended without
 *     byte order mark  only in front of the first record
 *     bad lines        to standard output in their place, or to the bad file
 *     set aside        to the bad file, if there is one, or nowhere
 *
 * A record with a block is written by reference, any other is copied; of one with an edit only the
 * new bytes are. What was taken leaves with sink_flush.
 */

#include "data/stage.h"
#include "stream/output.h"

struct sink_counts {
	uint64_t written; /* messages that came, changed ones included */
	uint64_t changed;
	uint64_t added;   /* records that a stage made */
	uint64_t aside;   /* records that came and have no place in the output */
};

struct sink {
	struct stage stage;
	struct output out;
	struct output bad;      /* its name is NULL without a bad file; created when it is needed */
	bool drops_bad;         /* bad lines go to the bad file */
	const struct input *in; /* which tells how the input ended */
	struct sink_counts counts;
};

/* bad_file may be NULL. Nothing is created yet. */
void sink_init(struct sink *sink, const char *bad_file, const struct input *in,
    struct fault *fault);

/* Writes all that was taken. */
void sink_flush(struct sink *sink);

/* Flushes and closes the outputs; without a fault, a bad file is there then, though it be empty. */
void sink_close(struct sink *sink);

#endif
