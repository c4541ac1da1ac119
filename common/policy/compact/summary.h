#ifndef POLICY_COMPACT_SUMMARY_H
#define POLICY_COMPACT_SUMMARY_H

/*
 * The one artifact that stands for messages that left the log, and carries their facts:
 *
 *     {"role":"user","content":"[summary] 12 earlier messages were dropped …\nFiles read: a.c",
 *      "metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{…}}}
 *
 * It stands right behind the protected head. An artifact of an earlier compaction gets the new
 * facts in its place. The artifact of a sub-agent's own stream has its agent_id and
 * parent_execution_id, so that it is in that stream's thread.
 *
 *     summary_open    reads the artifact that is replaced
 *     summary_add     merges what an entry knew that is dropped
 *     summary_write   writes the artifact for all that is dropped by now, and weighs it
 *     summary_put     adds it to the session, or puts it in the place of the earlier one
 */

#include "policy/compact/facts.h"
#include "policy/keep.h"

struct summary {
	struct session *session;
	struct estimator *estimator;
	uint32_t artifact; /* entry of the artifact that is replaced, or NONE */
	struct facts facts;
	struct keep_request request; /* what it is to say of the request */
	uint32_t place;              /* the entry behind it */
	uint64_t kept;               /* messages of the thread that stay behind it */
	struct json_value agent_id;  /* of the sub-agent whose own stream it is */
	struct json_value parent_execution_id;
	struct buf text; /* the record under way */
};

/* Whether the entry is a summary, by whomever: never one that has calls or is a result, whatever
 * kind it says. */
bool summary_is(const struct entry *entry);

/* The entry that holds the artifact which the next one replaces, or NONE. */
uint32_t summary_find(const struct session *session);

/* The entry in front of which a new artifact stands. */
uint32_t summary_place(const struct session *session);

/* What the artifact, an entry or NONE, says of the user's request. */
struct keep_request summary_request(const struct session *session, uint32_t artifact);

void summary_open(struct summary *summary, struct session *session, struct estimator *estimator,
    uint32_t artifact, struct keep_request request);
void summary_close(struct summary *summary);

/* Merges what is known of an entry that is dropped. */
void summary_add(struct summary *summary, uint32_t entry);

enum summary_form {
	SUMMARY_BRIEF,    /* weighs the same, and leaves out the facts that are no text */
	SUMMARY_MEASURED, /* leaves out what it covers: facts.covers_len bytes */
	SUMMARY_WHOLE,    /* takes a time that grows with the session */
};

/* Writes the record into summary->text; returns its tokens. */
uint64_t summary_write(struct summary *summary, enum summary_form form);

/* Makes the record that was written last a change of the session: added, or an update. */
void summary_put(
    struct summary *summary, const struct change_rule *added, const struct change_rule *updated);

#endif
