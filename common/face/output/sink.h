#ifndef OUTPUT_SINK_H
#define OUTPUT_SINK_H

/*
 * The sink is the last stage of every chain: it writes records and counts them. Everything about
 * the bytes between two records is decided here and nowhere else:
 *
 *     line ends        a record of the input keeps its own; an LF is put after a record without
 *                      one when another record follows; an added record without a line end gets
 *                      an LF, unless the last line of the input has none
 *     byte order mark  only before the first record
 *     bad lines        to standard output in their place, or to the bad file
 *     set aside        to the bad file if there is one, else nowhere
 *
 * A record with a block is written by reference, any other record is copied. Of a record with an
 * edit only the new bytes are copied. sink_flush writes all records taken so far.
 */

#include "data/stage.h"
#include "stream/output.h"

struct sink_counts {
	uint64_t written; /* messages of the input, changed ones included */
	uint64_t changed;
	uint64_t added; /* records made by a stage */
	uint64_t aside; /* records of the input that have no place in the output */
};

/* The receiver of the records instead of standard output (face/joint.h). */
struct sink_onward {
	/* Takes the next record. Its bytes live as they do for a sink: those of a block of the
	 * input until the flush, others until take returns. */
	void (*take)(struct sink_onward *onward, struct record *record);
	void (*flush)(struct sink_onward *onward);
};

struct sink {
	struct stage stage;
	struct sink_onward *onward; /* or NULL */
	struct output out;
	struct output bad;      /* created when needed; its name is NULL without a bad file */
	bool drops_bad;         /* bad lines go to the bad file */
	const struct input *in; /* asked whether the last line had an LF */
	struct sink_counts counts;
};

/* bad_file may be NULL. No file is created yet. */
void sink_init(
    struct sink *sink, const char *bad_file, const struct input *in, struct fault *fault);

/* Writes all records taken so far. */
void sink_flush(struct sink *sink);

/* Flushes and closes the outputs. A bad file that no record went to is created empty, unless a
 * fault is set. */
void sink_close(struct sink *sink);

#endif
