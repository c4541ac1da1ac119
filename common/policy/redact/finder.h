#ifndef REDACT_FINDER_H
#define REDACT_FINDER_H

/*
 * Finds secrets by all rules in one pass. Each rule has a few sets of bytes that a find begins
 * with. A table for each of the first four bytes has one bit for each of 64 buckets of rules, and
 * the buckets whose bit is set in all four tables are asked:
 *
 *     set[0]['g'] & set[1]['h'] & set[2]['p'] & set[3]['_']      the bucket of github-pat
 *
 * So a byte of most texts costs four loads, whatever the number of rules is.
 */

#include "policy/redact/search.h"

enum { FINDER_BUCKETS = 64, FINDER_BUCKET_RULES = 24, FINDER_DEPTH = 4 };

struct finder_trigger; /* in finder.c */

struct finder {
	uint64_t set[FINDER_DEPTH][256];
	const struct finder_trigger *rule[FINDER_BUCKETS][FINDER_BUCKET_RULES];
	uint16_t row[FINDER_BUCKETS][FINDER_BUCKET_RULES];
	uint8_t count[FINDER_BUCKETS];
};

/* kinds are bits of enum rule_kind. */
void finder_init(struct finder *finder, unsigned kinds);

/* Whether something may be found in bytes of JSON text, decoded or not: false is certain, whatever
 * is escaped there. JSON_PADDING readable bytes must follow. */
bool finder_hints(const struct finder *finder, struct str bytes);

/* Sets *found to the next find in text from text->free on, and text->free behind it. Returns false
 * when there is none. */
bool finder_next(const struct finder *finder, struct search *text, struct search_found *found);

#endif
