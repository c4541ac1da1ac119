#ifndef INSTRUCTOR_INSTRUCTOR_FILE_H
#define INSTRUCTOR_INSTRUCTOR_FILE_H

/*
 * Reads the lines of a storage file (JsonlStorage). The lines of a session are held until its end,
 * because labels come after their messages, and a line replaces an earlier line with the same id.
 *
 *     {"type":"session","id":...}                         the header: a context record
 *     {"type":"message","id":...,"section":...,"data":M}
 *     {"type":"label","targetId":...,"label":...}
 */

#include "base/hash/map.h"
#include "data/queue.h"
#include "dialects/instructor/instructor_output.h"

/* The session that is held. */
struct instructor_file {
	struct instructor_output *output;
	const char *file;   /* NULL: there is none */
	struct buf session; /* its id, JSON, padded; or empty */
	bool many;          /* it has other sections than messages */
	struct queue held;
	struct map newest;      /* id of a message -> the number of its last line in held */
	struct buf labels;      /* JSON, with a blank after each */
	struct map label_by_id; /* id of a message -> where its last label is in labels */
	uint64_t unused;        /* labels whose message has not come yet */
};

void instructor_file_init(struct instructor_file *file, struct instructor_output *output);

/* Takes a record that is not an AgentContext: reads a header or label, and holds or emits any other
 * record. */
void instructor_file_take(struct instructor_file *file, struct record *record);

/* Emits the held session. Of a message with several lines, the last line is emitted, at the place
 * of the first. */
void instructor_file_flush(struct instructor_file *file);

void instructor_file_free(struct instructor_file *file);

#endif
