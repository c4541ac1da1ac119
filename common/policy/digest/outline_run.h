#ifndef POLICY_DIGEST_OUTLINE_RUN_H
#define POLICY_DIGEST_OUTLINE_RUN_H

/*
 * Several calls of an outline as one line: how many files were edited, written and read, with the
 * directory of all and the newest names; which commands ran and how they ended; and how many
 * commands only looked. A command is known by its first words:
 *
 *     edit 4 files of src/tui: a.c, b.c, c.c; ran 7 calls: npm run check (2 more times), git add
 *
 * Such a line of an earlier artifact is read back into these counts and names.
 */

#include "policy/outline/outline.h"

enum { OUTLINE_RUN_NAMED = 5 }; /* names that a run tells */

enum { OUTLINE_RUN_EDITED, OUTLINE_RUN_WRITTEN, OUTLINE_RUN_READ, OUTLINE_RUN_OPS };

/* The files of calls of a tool. */
struct outline_run_files {
	uint64_t count;
	struct str directory; /* of all files */
	struct str
	    path[OUTLINE_RUN_NAMED]; /* the newest, in the places of their number modulo that */
	uint32_t paths;
};

/* Calls of one command that does something, or of another tool. */
struct outline_run_calls {
	struct str name;
	struct outline_again again;
};

struct outline_run {
	uint64_t id; /* in the outline's paths; 0: it has none */
	struct outline_run_files files[OUTLINE_RUN_OPS];
	struct outline_run_calls ran[OUTLINE_RUN_NAMED]; /* as path */
	uint32_t names;                                  /* of these */
	uint64_t calls, looked;      /* those of no files, and of commands that only look */
	uint64_t count;              /* of all files and calls */
	uint32_t first, last, heads; /* lines, and how many; set by who adds them */
	size_t bytes;                /* that the lines take */
};

/* Adds the line with that number, a line of calls, without the lines folded into it; for a repeated
 * call, the end of the last one. Returns whether the line may be in a run; if not, *run is
 * undefined. A quoted, cut, refused or failed line stays alone, unless it is a command. The texts
 * belong to the line or to the outline's arena. */
bool outline_run_add(struct outline *outline, struct outline_run *run, uint32_t index);

/* Appends the line of the run with its newest names, at most named of each kind; of files that were
 * read, only one if not all are named. */
void outline_run_write(const struct outline_run *run, uint32_t named, struct buf *out);

#endif
