#ifndef POLICY_COMPACT_FACTS_H
#define POLICY_COMPACT_FACTS_H

/*
 * The facts of messages that were dropped from the log, as a member of the artifact's metadata:
 *
 *     "facts":{"dropped":12,"kept":30,"files_read":["a.c"],"files_modified":[],"unresolved":[],
 *      "covers":[[2,13]]}
 *
 * covers are the places of the dropped messages, counted from 1 in the log before any compaction.
 *
 * request holds the places of two messages: the user's newest, and the one that began the execution
 * that the newest steers. Without the dropped messages, the second could not be found.
 *
 * kept is the number of messages behind the artifact. Their reported usage is that of the context
 * before the compaction.
 *
 * Facts of an earlier artifact are merged into those of the next one, so that they are neither lost
 * nor stacked. A list names its newest things and counts the others.
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
	uint64_t lost;    /* things that earlier artifacts counted without a name */
	struct map known; /* all things that were named */
};

struct fact_range {
	uint64_t first;
	uint64_t last;
};

/* The place of a message that was in the session when the compaction began. */
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
	uint32_t *number;  /* the number of its place, by entry; NONE: it has none */
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

/* Merges the facts of an entry that is dropped. */
void facts_add(struct facts *facts, const struct session *session, uint32_t entry);

/* The facts that the entry's metadata has. */
struct json_value facts_of(const struct entry *entry);

/* Appends the lists as lines for a model, each after a line feed. A thing that could pass for more
 * than one thing, or for a line of its own, is quoted. */
void facts_write_text(const struct facts *facts, struct buf *buf);

/* Writes the members of the lists into an open object. */
void facts_write_lists(const struct facts *facts, struct json_writer *w);

/* Reads the member "request" of from as entries or NONE. *first is the first message that is left
 * of the execution; *newest is the user's newest message. */
void facts_read_request(const struct facts *facts, const struct session *session,
    struct json_value from, uint32_t *first, uint32_t *newest);

/* Writes the member "request" if the two entries differ. */
void facts_write_request(
    const struct facts *facts, uint32_t first, uint32_t newest, struct json_writer *w);

/* Writes the member "covers". This reads all places; facts->covers_len gives the length without
 * that. */
void facts_write_covers(const struct facts *facts, struct json_writer *w);

#endif
