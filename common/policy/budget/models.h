#ifndef BUDGET_MODELS_H
#define BUDGET_MODELS_H

/*
 * A table of models: window, largest output, and prices. The table is in model_table.c. The user
 * may give a second table, tab-separated and with the same header line; its rows come first. A row
 * of the user named MODELS_OTHERS is for all models of its provider that have no row.
 */

#include <stdint.h>

#include "base/arena.h"
#include "base/fault.h"
#include "json/write.h"

#define MODELS_OTHERS "*"

struct model {
	struct str name;
	struct str provider;
	uint64_t window;     /* tokens */
	uint64_t max_output; /* tokens */
	double input;        /* dollars for a million tokens of input */
	double cached;       /* the same for input that is read from the provider's cache */
	double output;       /* the same for output */
};

/* The price of the next request's input in dollars. full reads all of the input anew. cached reads
 * the last request and its answer from the provider's cache. */
struct price {
	double full;
	double cached;
};

struct models {
	struct model *list; /* the rows of the user, from the arena */
	size_t count;
	struct arena arena;
};

#define MODELS_INIT \
	{ \
		NULL, 0, ARENA_INIT \
	}

extern const struct model model_table[];
extern const size_t model_table_count;

/* Reads the table of a user. Returns false with the fault set when the file cannot be read (status
 * 66), when the system lacks memory (71), and when the table is malformed (78). */
bool models_read(struct models *models, const char *path, struct fault *fault);

/*
 * The model of that name, or else the only model whose name begins with name; of all providers, or
 * of one where provider is not empty. Returns NULL when there is no such model. Then, if several
 * names begin with name, *matches is their number and *near the first of them; otherwise *near is
 * the name of which this one may be a slip, or empty.
 */
const struct model *models_find(const struct models *models, struct str provider, struct str name,
    struct str *near, size_t *matches);

/* Whether a model of the tables is of that provider. Otherwise *near is the provider of which this
 * one may be a slip, or empty. */
bool models_has_provider(const struct models *models, struct str provider, struct str *near);

/* The model of exactly that name, or of PROVIDER/NAME, as sessions spell it; or NULL. */
const struct model *models_find_named(const struct models *models, struct str name);

/* The row for all other models of the provider, or NULL. */
const struct model *models_find_others(const struct models *models, struct str provider);

/* The model of exactly that name, or NULL. */
const struct model *models_find_exact(const struct models *models, struct str name);

/* Appends the whole table in the form of a user's table. */
void models_write(const struct models *models, struct buf *buf);

/* The estimator that counts as the model does, if the encoding of the model is published;
 * otherwise the estimator whose counts come nearest. */
const char *model_estimator(const struct model *model);

/* Appends how wrong an estimator is that is not the model's own, "o200k_base is 1.13 to 1.81 times
 * too low", between the texts before and after. Appends nothing when model is NULL, or when the
 * estimator of that name counts as the model does: by the published encoding of the model, by what
 * answers report, or by a command of the user. */
void model_write_doubt(const struct model *model, const char *estimator, const char *before,
    const char *after, struct buf *buf);

/* The reserve for the output of a request: the most that the model can write, but at most half of
 * window. */
uint64_t model_reserve(const struct model *model, uint64_t window);

/* The price of a request of total tokens. prefix is how many of them the provider's cache has. */
struct price model_price(const struct model *model, uint64_t total, uint64_t prefix);

/* Writes members of the budget record into an open object: the model's name, the price, and, if the
 * estimator is not the model's own, its error. */
void model_write_members(const struct model *model, const struct price *price,
    const char *estimator, struct json_writer *w);

/* Writes only the members about the estimator; none if the estimator is the model's own. */
void model_write_estimator(const struct model *model, const char *estimator, struct json_writer *w);

void models_free(struct models *models);

#endif
