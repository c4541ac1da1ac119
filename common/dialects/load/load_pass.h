#ifndef LOAD_LOAD_PASS_H
#define LOAD_LOAD_PASS_H

/*
 * A pass over the records of a file for its judgement alone: load and census around a reader of the
 * dialect (load.h), whose messages are dropped.
 *
 *     load -> reader -> census -> (dropped)
 *
 * A brief pass has no reader, so that its memory is that of load, whatever the records say. It
 * finds what is reached, but not whether that is all of the messages.
 */

#include "dialects/dialect_reader.h"
#include "dialects/load/load.h"

struct load_pass {
	struct load load;             /* its stage takes the records */
	struct dialect_stage *reader; /* NULL: freed, or none */
	struct dialect_reading reading;
	struct tally counts; /* of the reader, all together: not used */
	struct stage last;
};

/* dialect must have a load form. fault and pass must stay where they are until load_pass_free. */
void load_pass_open(struct load_pass *pass, const struct dialect *dialect, struct fault *fault);

/* The same for a brief pass. */
void load_pass_open_brief(
    struct load_pass *pass, const struct dialect *dialect, struct fault *fault);

/* Call after the last record: judges the files, and frees the reader. Returns false when the fault
 * is set. */
bool load_pass_end(struct load_pass *pass);

void load_pass_free(struct load_pass *pass);

#endif
