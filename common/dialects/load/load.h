#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

/*
 * The messages that an agent would load from the files of its sessions, and the faults of each file
 * by the rules of the agent's loader (load_form.h). There are two stages, around a reader:
 *
 *     load -> reader -> load.census
 *
 * load reads the records of the files, and census the messages that the reader makes of them: a
 * message is loaded if its record is. Both pass all records. Messages of sub-agents and system
 * prompts do not count.
 *
 * Some 150 bytes for each record are held until the end; of brief files, 90. Time is linear in the
 * input.
 */

#include "data/stage.h"
#include "dialects/load/load_file.h"
#include "dialects/load/load_plan.h"
#include "dialects/tally.h"

struct load {
	struct stage stage;
	struct stage census;
	struct load_plan plan;
	bool is_brief; /* of its files (load_file.h); set before the first record comes */
	struct load_file *file;
	uint32_t files, files_cap;
	const char *bad;  /* the file of the last bad line, or NULL */
	uint32_t counted; /* the file of the last message */
	/* Bytes of the files that are no part of the conversation, by kind: whole records by their
	 * type, and members beside the conversation by their names. */
	struct tally weight;
	uint64_t bytes;                  /* of all records */
	uint64_t count[VIOLATION_COUNT]; /* of the faults that load_end found */
	struct buf report;               /* the result of load_end, a JSON object for each file */
	const char
	    /* the first file that loses messages by a fault that load_mend can mend, or NULL */
	    *mendable;
};

void load_init(struct load *load, const struct load_form *form);

/* Call when the stream has ended. Appends the findings to the list, for each file its verdict
 * first. A file without messages has no findings. */
void load_end(struct load *load, struct buf *list);

/* The same for brief files: only marks what is reached. */
void load_reach(struct load *load);

void load_free(struct load *load);

#endif
