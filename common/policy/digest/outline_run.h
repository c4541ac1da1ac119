#ifndef POLICY_DIGEST_OUTLINE_RUN_H
#define POLICY_DIGEST_OUTLINE_RUN_H

/*
 * Calls of an outline that are one line: how many files each tool edited, wrote and read, with the
 * directory of all and the newest ones, what ran and how it ended, and how many commands only
 * looked. A command is known by its first words:
 *
 *     edit 4 files of src/tui: a.c, b.c, c.c; ran 7 calls: npm run check (2 more times), git add
 *
 * Such a line, of an earlier artifact, is read as what it says.
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

/* Adds what the line with that number says, one of calls, but not what is folded in it; of one that
 * was made again how the last one ended. Returns whether it may be in a run, which is undefined
 * where it may not: what is quoted, cut, refused or failed stands alone, but for a command. The
 * texts are of the line, or in the outline's arena. */
bool outline_run_add(struct outline *outline, struct outline_run *run, uint32_t index);

/* Appends the line of the run, with the newest names, at most so many of a kind; of files that were
 * read one where that is less than all. */
void outline_run_write(const struct outline_run *run, uint32_t named, struct buf *out);

#endif
