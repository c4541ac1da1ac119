#ifndef CTX_SHOW_PLAN_FILE_H
#define CTX_SHOW_PLAN_FILE_H

/* What a compaction would do, by line, as ctx-compact --plan has written it into a file. */

#include "base/arena.h"
#include "base/fault.h"
#include "base/hash/hash.h"

struct plan_file {
	struct str *action;
	size_t count, cap;
	struct map by_line; /* the line of a message -> the index of the action */
	struct arena arena;
};

/* Reads the file. Returns false with the fault set when it cannot be read (status 66 or 74), and
 * when a line of it is none of a plan (65). */
bool plan_file_read(struct plan_file *plan, const char *path, struct fault *fault);

/* The action on the message of that line, or "". */
struct str plan_file_find(const struct plan_file *plan, uint64_t line);

void plan_file_free(struct plan_file *plan);

#endif
