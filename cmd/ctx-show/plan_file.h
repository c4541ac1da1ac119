#ifndef CTX_SHOW_PLAN_FILE_H
#define CTX_SHOW_PLAN_FILE_H

/* The plan of a compaction, by line, read from a file that ctx-compact --plan wrote. */

#include "base/arena.h"
#include "base/fault.h"
#include "base/hash/map.h"

struct plan_file {
	struct str *action;
	size_t count, cap;
	struct map by_line; /* the line of a message -> the index of the action */
	struct arena arena;
};

/* Reads the file. Returns false with the fault set when it cannot be read (status 66 or 74), or
 * when a line is not of a plan (65). */
bool plan_file_read(struct plan_file *plan, const char *path, struct fault *fault);

/* The action on the message of that line, or "". */
struct str plan_file_find(const struct plan_file *plan, uint64_t line);

void plan_file_free(struct plan_file *plan);

#endif
