#ifndef POLICY_MODELS_H
#define POLICY_MODELS_H

/*
 * What is known of models: the window, the most output, and prices. The table is that of
 * model_table.c; a user's own (tab-separated, with the same header line) stands before it.
 */

#include <stdint.h>

#include "base/arena.h"
#include "base/fault.h"

struct model {
	struct str name;
	struct str provider;
	uint64_t window;     /* tokens */
	uint64_t max_output; /* tokens */
	double input;        /* dollars a million tokens */
	double cached;       /* input read from the provider's cache */
	double output;
};

struct models {
	struct model *list; /* the user's, from the arena */
	size_t count;
	struct arena arena;
};

#define MODELS_INIT {NULL, 0, ARENA_INIT}

extern const struct model model_table[];
extern const size_t model_table_count;

/* Reads a user's table. False with the fault set: of status 66 when it cannot be read, 71 when the
 * system lacks memory, 78 when it is malformed. */
bool models_read(struct models *models, const char *path, struct fault *fault);

/*
 * The model of that exact name, else the only one that the name is a prefix of. NULL when there is
 * none: then near is the name that comes closest or, of several with that prefix, the first, with
 * matches of them.
 */
const struct model *models_find(const struct models *models, const char *name, struct str *near,
    size_t *matches);

/* The table as a user's file would hold it: tab-separated, a header line first. */
void models_write(const struct models *models, struct buf *buf);

/* The estimator that counts as the model does, where its encoding is published; else the nearest
 * that is. */
const char *model_estimator(const struct model *model);

/* The output that a request reserves: the model's most, but no more than half the window that is
 * used. */
uint64_t model_reserve(const struct model *model, uint64_t window);

void models_free(struct models *models);

#endif
