#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

/*
 * What an agent loads of the files of its sessions, and what is wrong with each file in the eyes of
 * its loader (load_form.h). Two stages, around a reader:
 *
 *     load -> reader -> load.census
 *
 * load looks at the records of the files, and its census at the messages that the reader makes of
 * them: a message is loaded where its record is. Both pass all records. Sub-agents' messages and
 * system prompts do not count.
 *
 * For each record some 90 bytes are held until the end. Time is linear in the input.
 */

#include "data/stage.h"
#include "dialects/load/load_file.h"
#include "dialects/load/load_plan.h"
#include "dialects/tally.h"

struct load {
	struct stage stage;
	struct stage census;
	struct load_plan plan;
	struct load_file *file;
	uint32_t files, files_cap;
	const char *bad;  /* the file of the last bad line, or NULL */
	uint32_t counted; /* the file of the last message */
	/* Bytes of the files by kind, of what is no part of the conversation: whole records by
	 * their type, and members beside it by their names. */
	struct tally weight;
	uint64_t bytes;                  /* of all records */
	uint64_t count[VIOLATION_COUNT]; /* of what load_end has found */
	struct buf report;               /* what load_end has found, of each file a JSON object */
	const char
	    *mendable; /* the first file that misses messages by what load_mend mends, or NULL */
};

void load_init(struct load *load, const struct load_form *form);

/* Call when the stream has ended: appends what was found to the list, for each file the verdict
 * first. Of a file without messages nothing is said. */
void load_end(struct load *load, struct buf *list);

void load_free(struct load *load);

#endif
