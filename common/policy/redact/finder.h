#ifndef REDACT_FINDER_H
#define REDACT_FINDER_H

/*
 * Finds secrets by all rules in one pass. Each rule has a few sets of bytes that a find begins
 * with. A table for each of the first four bytes has one bit for each of 64 buckets of rules, and
 * the buckets whose bit is set in all four tables are asked:
 *
 *     set[0]['g'] & set[1]['h'] & set[2]['p'] & set[3]['_']      the bucket of github-pat
 *
 * So a byte of most texts costs four loads, whatever the number of rules is. The rules of a bucket
 * are a list, in the order in which they were added:
 *
 *     first[b] -> rule[i], rule[rule[i].next], ...     0 ends it; no rule is rule[0]
 */

#include "policy/secret/assignment.h"
#include "policy/secret/shapes.h"

enum {
	FINDER_BUCKETS = 64,
	FINDER_DEPTH = 4,
	FINDER_RULES_MAX = FINDER_BUCKETS + SHAPES_MAX + ASSIGNMENT_WORDS_MAX,
};

struct finder_trigger; /* in finder.c */

struct finder_rule {
	const struct finder_trigger *trigger;
	uint16_t row;  /* of the trigger's table */
	uint16_t next; /* the rule after this one in its bucket */
};

struct finder {
	uint64_t set[FINDER_DEPTH][256];
	struct finder_rule rule[1 + FINDER_RULES_MAX];
	uint16_t first[FINDER_BUCKETS], last[FINDER_BUCKETS]; /* rule of each bucket */
	uint16_t count;
};

/* kinds are bits of enum rule_kind. */
void finder_init(struct finder *finder, unsigned kinds);

/* Whether something may be found in bytes of JSON text, decoded or not: false is certain, whatever
 * is escaped there. JSON_PADDING readable bytes must follow. */
bool finder_hints(const struct finder *finder, struct str bytes);

/* Sets *found to the next find in text from text->free on, and text->free to the end of that find.
 * Returns false when there is none. */
bool finder_next(const struct finder *finder, struct search *text, struct search_found *found);

#endif
