#ifndef POLICY_COMPACT_FACTS_H
#define POLICY_COMPACT_FACTS_H

/*
 * What messages that leave the log leave behind, and the one artifact that carries it:
 *
 *     {"role":"user","content":"[summary] 12 earlier messages were dropped …\nFiles read: a.c",
 *      "metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":12,
 *      "kept":30,"files_read":["a.c"],"files_modified":[],"unresolved":[],"covers":[[2,13]]}}}
 *
 * covers are the places of the messages that it stands for, counted from 1 in the log that was
 * never compacted; kept are the messages behind it, whose reported usage is of the context that is
 * gone. Facts of an earlier artifact are merged into those of the next, so that they
 * are never lost and never stacked. The artifact of a sub-agent's own stream has its agent_id and
 * parent_execution_id, so that it is in that stream's thread.
 */

#include "base/hash.h"
#include "data/session.h"

enum { FACTS_LIST_MAX = 50 };

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

struct facts {
	uint64_t dropped;            /* messages, those of earlier artifacts included */
	uint64_t entries;            /* that facts_add was told of */
	struct json_value agent_id;            /* of the sub-agent whose own stream it is */
	struct json_value parent_execution_id;
	struct fact_list files_read;
	struct fact_list files_modified;
	struct fact_list unresolved; /* JSON values */
	struct fact_range *covered;  /* by the artifact that is replaced, ascending */
	size_t covered_count;
	struct arena arena;
};

/* Whether the entry is a summary, by whomever: never one that has calls or is a result, whatever
 * kind it says. */
bool facts_is_summary(const struct entry *entry);

/* The entry that holds the artifact which the next one replaces, or NONE. */
uint32_t facts_find(const struct session *session);

/* The facts of a session from which nothing is gone yet. */
void facts_init(struct facts *facts, const struct session *session);
void facts_free(struct facts *facts);

/* Merges what the artifact of that entry says; it is the one that is replaced. */
void facts_add_artifact(struct facts *facts, const struct session *session, uint32_t entry);

/* Merges what is known of an entry that is dropped. */
void facts_add(struct facts *facts, const struct session *session, uint32_t entry);

/* The entry in front of which a new artifact stands. */
uint32_t facts_place(const struct session *session);

/* Appends the artifact for facts and the entries dropped by now; artifact is the entry of the one
 * that is replaced, or NONE. */
void facts_write(const struct facts *facts, const struct session *session, uint32_t artifact,
    struct buf *buf);

/* Appends what weighs the same, without the facts that have to be looked for. */
void facts_write_brief(const struct facts *facts, struct buf *buf);

#endif
