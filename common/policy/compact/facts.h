#ifndef POLICY_COMPACT_FACTS_H
#define POLICY_COMPACT_FACTS_H

/*
 * What messages that leave the log leave behind, as a member of metadata:
 *
 *     "facts":{"dropped":12,"kept":30,"files_read":["a.c"],"files_modified":[],"unresolved":[],
 *      "covers":[[2,13]]}
 *
 * covers are the places of the messages that are gone, counted from 1 in the log that was never
 * compacted. request are the places of the user's newest message and of that which began the
 * execution that it steers, which cannot be told without what is gone. kept are the messages behind
 * the artifact, whose reported usage is of the context that is gone. Facts of an earlier artifact
 * are merged into those of the next, so that they are never lost and never stacked. A list names
 * its newest things and counts the others.
 */

#include "base/hash.h"
#include "data/session.h"
#include "json/write.h"

enum { FACTS_LIST_MAX = 50 };

/* The lists; their titles and members stand in one table in facts.c. */
enum { FACTS_READ, FACTS_MODIFIED, FACTS_UNRESOLVED, FACTS_LISTS };

/* The things named last, the newest at the end. */
struct fact_list {
	struct str item[FACTS_LIST_MAX]; /* paths, or JSON values */
	unsigned count;
	uint64_t lost;    /* that earlier artifacts counted and did not name */
	struct map known; /* all that were named */
};

struct fact_range {
	uint64_t first;
	uint64_t last;
};

/* A message of the thread that was here when the compaction began. */
struct fact_place {
	uint64_t place;
	bool is_dropped;
	bool is_behind; /* a range that the earlier artifact covers ends in front of it */
};

struct facts {
	uint64_t dropped; /* messages, those of earlier artifacts included */
	struct fact_list list[FACTS_LISTS];
	struct fact_range *covered; /* by the artifact that is replaced, ascending */
	size_t covered_count, covered_cap;
	size_t covered_before; /* the ranges in front of the last place; the others are behind it */
	struct fact_place *place;
	uint32_t place_count, place_cap;
	uint32_t *number;  /* of its place, by entry; NONE is not of the thread */
	uint64_t runs;     /* of places that are gone */
	size_t covers_len; /* bytes that the member covers takes between its brackets */
	struct arena arena;
};

#define FACTS_INIT \
	{ \
		.dropped = 0 \
	}

void facts_free(struct facts *facts);

/* Merges the facts of the artifact that is replaced. */
void facts_add_artifact(struct facts *facts, struct json_value from);

/* Gives every message its place; call after facts_add_artifact and before facts_add. artifact is
 * the entry of the one that is replaced, or NONE. */
void facts_begin(struct facts *facts, const struct session *session, uint32_t artifact);

/* Merges what is known of an entry that is dropped. */
void facts_add(struct facts *facts, const struct session *session, uint32_t entry);

/* The facts that the entry's metadata has. */
struct json_value facts_of(const struct entry *entry);

/* Appends the lines that tell a model of the lists, each after a line feed. A thing that could pass
 * for more than one, or for a line of its own, is quoted. */
void facts_write_text(const struct facts *facts, struct buf *buf);

/* The members of the lists, into an object that is open. */
void facts_write_lists(const struct facts *facts, struct json_writer *w);

/* Reads the member "request" of from as entries, or NONE: the first message that is left of the
 * execution, and the user's newest. */
void facts_read_request(const struct facts *facts, const struct session *session,
    struct json_value from, uint32_t *first, uint32_t *newest);

/* The member "request", where the entries are two. */
void facts_write_request(
    const struct facts *facts, uint32_t first, uint32_t newest, struct json_writer *w);

/* The member "covers". It takes a look at all places: facts->covers_len tells its length before. */
void facts_write_covers(const struct facts *facts, struct json_writer *w);

#endif
