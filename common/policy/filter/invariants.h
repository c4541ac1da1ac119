#ifndef FILTER_INVARIANTS_H
#define FILTER_INVARIANTS_H

/*
 * The invariants of a compaction, each with a phrase, and the places where they broke. Some hold
 * for every transform, built in or the user's: invariants_check, the transform normalize, proves
 * these after all transforms and before anything is written, with code of its own. The rest is
 * checked only for filters, whose output can be anything: policy/filter/exchange.h. Stages of a
 * profile are checked for pairs only: policy/filter/proof.h.
 */

#include "policy/compact/compaction.h"

/* The name, whose line it is, and the phrase. */
#define INVARIANT_TABLE(ROW) \
	/* Of what was written: */ \
	ROW(RECORD, "output line", "is no record") \
	ROW(CALL, "output line", "is a result without its call") \
	ROW(RESULT, "output line", "is a call without its result") \
	ROW(APART, "output line", "is separated from its call") \
	/* Of every transform: */ \
	ROW(DROPPED, "line", "was dropped and must stay") \
	ROW(CHANGED, "line", "was changed and must stay as it is") \
	ROW(ARTIFACT, "line", "lost the artifact after it, or that was changed") \
	ROW(IDENTITY, "line", "has another role, call or metadata than before") \
	ROW(GREW, "line", "has more bytes or tokens than before") \
	ROW(AGENT, "line", "is another agent's, and became the first message") \
	ROW(BOOKS, NULL, "the tokens do not add up") \
	/* Of a filter: */ \
	ROW(MOVED, "output line", "is not in order") \
	ROW(UNKNOWN, "output line", "is of unknown origin and has no metadata.kind") \
	ROW(NEW_CALL, "output line", "is a new call or result") \
	ROW(NEW_ROLE, "output line", "is new and of another role than user and assistant") \
	ROW(NEW_ARTIFACT, "output line", "would pass for an artifact of ctx-compact") \
	ROW(NEW_AGENT, "output line", "is new and of another agent") \
	ROW(NEW_SECTION, "output line", \
	    "is new and in another section than the message before it") \
	ROW(NEW_WORD, "output line", "is new and says of itself what only the log may say") \
	ROW(NEW_FIRST, "output line", "is new and before the first message") \
	ROW(NEW_FRAMING, "output line", "is new and among the first messages of the user") \
	ROW(NEW_REQUEST, "output line", "would pass for a request of the user") \
	ROW(BETWEEN, "output line", "is new and after a call that waits for its result") \
	ROW(GAIN, NULL, \
	    "its new messages have no fewer bytes, or more tokens, than the messages that it " \
	    "took out")

#define INVARIANT_NAME(name, place, phrase) INVARIANT_##name,
enum invariant { INVARIANT_TABLE(INVARIANT_NAME) INVARIANTS };

/* What broke. */
struct invariants {
	uint64_t sum;
	uint64_t count[INVARIANTS];
	uint64_t line[INVARIANTS];      /* of the first one */
	const char *reason[INVARIANTS]; /* of the first one, or NULL */
};

void invariants_note(
    struct invariants *broken, enum invariant invariant, uint64_t line, const char *reason);

/* The same for the line of the log from which the entry was read; NONE: line 0. */
void invariants_note_entry(struct invariants *broken, enum invariant invariant,
    const struct session *session, uint32_t entry, const char *reason);

/* Notes the entry if it was dropped but must stay, or was changed but must stay as it is; for a
 * filter, that includes the whole recency window. Returns whether the drop or change is allowed. */
bool invariants_keep(struct invariants *broken, const struct compaction *compaction, uint32_t entry,
    bool is_dropped, bool is_filter);

/* Sets the fault (status 70) when an invariant broke. The text names each broken invariant once,
 * with its first line and the number of others, after what, a phrase such as "'./filter' broke: "
 * or "". */
void invariants_say(const struct invariants *broken, struct str what, struct fault *fault);

/* Sets the fault of the options when an invariant of every transform does not hold. */
void invariants_check(struct compaction *compaction);

#endif
