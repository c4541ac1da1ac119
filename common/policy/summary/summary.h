#ifndef SUMMARY_SUMMARY_H
#define SUMMARY_SUMMARY_H

/*
 * The one artifact that replaces the dropped messages of the log, and holds their facts:
 *
 *     {"role":"user","content":"[summary] 12 earlier messages were dropped …\nFiles read: a.c",
 *      "metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{…}}}
 *
 * The artifact comes directly after the protected head. If an earlier compaction left an artifact,
 * the new one replaces it. In a sub-agent's own stream, the artifact has the agent_id and the
 * parent_execution_id of the sub-agent, so that it counts as a message of that agent.
 *
 *     summary_open    reads the artifact that is replaced
 *     summary_add     merges the facts of an entry that is dropped
 *     summary_write   writes the artifact for all that is dropped by now, and weighs it
 *     summary_put     adds it to the session, or puts it in the place of the earlier one
 */

#include "data/archive/archive.h"
#include "policy/compact/compaction.h"
#include "policy/digest/digest.h"

enum { SUMMARY_TOKEN_BYTES = 4 }; /* of text, about */

struct summary {
	struct session *session;
	struct estimator *estimator;
	uint32_t artifact; /* entry of the artifact that is replaced, or NONE */
	struct facts facts;
	struct framing framing;
	const char *title; /* the first line; NULL: none */
	enum role role;
	size_t room;  /* bytes of the text after its first line */
	size_t rules; /* bytes of the rules, which need no room; at first, all */
	struct gather gather;
	struct keep_request request; /* the request that the artifact names */
	uint32_t place;              /* the entry after the artifact */
	uint64_t kept;               /* messages that stay after the artifact */
	struct json_value agent_id;  /* of the sub-agent whose own stream it is */
	struct json_value parent_execution_id;
	struct archive_list gone; /* keys of the artifact that is replaced and of what is dropped */
	struct buf text;          /* the record under way */
};

/* Whether the entry is a summary, whoever made it. A message that has calls or is a result is none,
 * whatever its kind. */
bool summary_is(const struct entry *entry);

/* The artifact that the next one replaces, as an entry, or NONE. */
uint32_t summary_find(const struct session *session);

/* The entry before which a new artifact is put. */
uint32_t summary_place(const struct compaction *compaction);

/* room is that of the text after its first line, in bytes. */
void summary_open(struct summary *summary, const struct compaction *compaction, size_t room);
void summary_close(struct summary *summary);

/* The same after the pass, to write its artifact again: with the facts of the artifact in the
 * input, without those of what was dropped. */
void summary_reopen(struct summary *summary, const struct compaction *compaction, size_t room);

/* Merges the facts of an entry that was dropped before summary_reopen, or summary_open. */
void summary_add_again(struct summary *summary, uint32_t entry);

/* Merges the facts of an entry that is dropped. */
void summary_add(struct summary *summary, uint32_t entry);

/* Gathers the view's content from the dropped messages; call after all are dropped. */
void summary_gather(struct summary *summary, enum gather_view view);

/* Gathers the digest anew, with that room, beside the text of a command. */
void summary_tell(struct summary *summary, struct str text, size_t room);

/* The same with the lines of a command, one for each message. With no lines yet, gathers only the
 * content beside them. */
void summary_tell_symbols(struct summary *summary, struct str lines, size_t room);

/* Call after a text of tokens was larger than allowed: gives the next text less room. The names of
 * a digest are shortened first. */
void summary_shrink(struct summary *summary, uint64_t tokens, uint64_t allowed);

/* Whether the text that was written last is incomplete for lack of room. */
bool summary_is_cut(const struct summary *summary);

enum summary_form {
	SUMMARY_BRIEF,    /* weighs the same, and leaves out the facts that are no text */
	SUMMARY_MEASURED, /* leaves out lists and places: section_len bytes */
	SUMMARY_WHOLE,    /* takes a time that grows with the session */
};

/* Writes the record into summary->text; returns its tokens. */
uint64_t summary_write(struct summary *summary, enum summary_form form);

/* Makes the record that was written last, which has so many tokens, a change of the session: added,
 * or an update. */
void summary_put(struct summary *summary, uint64_t tokens, const struct change_rule *added,
    const struct change_rule *updated);

#endif
