#ifndef BUDGET_SECTION_LIMITS_H
#define BUDGET_SECTION_LIMITS_H

/*
 * The tokens that sections of a session may have: the limits of --max-section. A section that is
 * over its limit is to be emptied.
 *
 * A set of sections is bits: bit i is for limit i. Names belong to the caller.
 */

#include "base/arena.h"
#include "json/write.h"
#include "tokens/estimate.h"

enum { SECTION_LIMITS_MAX = 8 };

struct section_limits {
	unsigned count;
	struct section_limit {
		struct str name;
		uint64_t most; /* tokens */
	} item[SECTION_LIMITS_MAX];
};

/* Sets or replaces the limit of the section. Returns false when SECTION_LIMITS_MAX sections have
 * limits. */
bool section_limits_set(struct section_limits *limits, struct str name, uint64_t most);

/* The index of the section's limit, or SECTION_LIMITS_MAX when it has none. */
unsigned section_limits_find(const struct section_limits *limits, struct str name);

/* The sections that are over their limits, as bits. counts[i] is the sum of the counts of the
 * section of limit i, which the estimator turns into tokens. */
unsigned section_limits_over(
    const struct section_limits *limits, const uint64_t *counts, const struct estimator *estimator);

/* Reads limits from a record, an object of numbers by section name; other members are ignored.
 * Names are copied into the arena. */
void section_limits_read(
    struct section_limits *limits, struct json_value object, struct arena *arena);

/* Writes the limits as such an object. */
void section_limits_write(const struct section_limits *limits, struct json_writer *w);

#endif
