#ifndef CTX_ROUTE_ORIGINAL_H
#define CTX_ROUTE_ORIGINAL_H

/*
 * The stage in front of all others that keeps the records as they came, and passes them. A
 * stage behind it may find at the end that nothing can be done: it then emits them.
 *
 * Memory: the input, which stays in the blocks that it was read into, and a struct for each record.
 */

#include "data/stage.h"

struct original {
	struct stage stage;
	struct record *record;
	size_t count, cap;
};

void original_init(struct original *original);

/* Emits all records, as they came, from a stage behind this one. */
void original_emit(const struct original *original, struct stage *from);

void original_free(struct original *original);

#endif
