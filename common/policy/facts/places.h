#ifndef FACTS_PLACES_H
#define FACTS_PLACES_H

/*
 * The places of messages in the log as it was before any compaction, counted from 1. An artifact
 * names the places of the messages that it replaces, as ranges:
 *
 *     "covers":[[2,13],[17,17]]
 *
 * The messages of the session take the places that the artifact does not cover:
 *
 *     covered     2-4           7
 *     here      1       5  6       8 ...
 */

#include "data/session/session.h"
#include "json/write.h"

struct range {
	uint64_t first;
	uint64_t last;
};

/* The place of a message that was in the session when the compaction began. */
struct place {
	uint64_t place;
	bool is_dropped;
	bool is_behind; /* a range that the earlier artifact covers ends directly before it */
};

struct places {
	struct range *covered; /* by the artifact that is replaced, ascending */
	size_t covered_count, covered_cap;
	size_t covered_before; /* the ranges before the last place; the others are after it */
	struct place *place;
	uint32_t count, cap;
	uint32_t *number; /* the number of its place, by entry; NONE: it has none */
	uint64_t runs;    /* of consecutive dropped places */
	size_t len;       /* bytes that the ranges of these runs take between their brackets */
};

void places_free(struct places *places);

/* Takes the ranges of an artifact: the value of its member "covers". Ranges that are not ascending
 * are ignored: this program never writes such ranges. */
void places_read(struct places *places, struct json_value covers);

/* Gives every message its place; call after places_read. artifact is the entry of the artifact that
 * is replaced, or NONE. */
void places_begin(struct places *places, const struct session *session, uint32_t artifact);

/* The place of an entry; 0: it has none. */
uint64_t places_of(const struct places *places, uint32_t entry);

/* Notes that the message of the entry was dropped. */
void places_drop(struct places *places, uint32_t entry);

/* Writes the ranges of all dropped places as an array, in time linear in the places. places->len
 * gives the length at no cost. */
void places_write(const struct places *places, struct json_writer *w);

#endif
