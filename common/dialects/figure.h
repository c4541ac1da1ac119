#ifndef DIALECTS_FIGURE_H
#define DIALECTS_FIGURE_H

/*
 * How large the context is, as a record of a log says it. A log that is read from its end needs no
 * more than the last such record, and what stands behind it.
 *
 *     answer      the usage that the provider reported with it: prompt and answer
 *     compaction  a budget record, or a boundary of Claude Code: what it left in the context
 */

#include "data/message/message.h"

enum figure_kind {
	FIGURE_NONE,       /* the record says nothing of the context */
	FIGURE_ANSWER,     /* tokens is all up to this record */
	FIGURE_COMPACTION, /* the same; a summary right behind the record is part of it */
	FIGURE_BOUNDARY,   /* the context begins behind this record; tokens is 0 */
	FIGURE_SUMMARY,    /* figures before this record are of a context that is gone */
};

struct figure {
	enum figure_kind kind;
	uint64_t tokens;
	uint64_t system; /* of a budget record: what stands beside tokens for the system prompt */
};

/* Reads the figure of a record. */
struct figure figure_read(const struct message *message);

/* Whether the record is a message of an agent that another agent called. All messages of a log of
 * its own may be. Returns -1 when the record is no message. */
int figure_is_side(const struct message *message);

/* Whether the record is the summary that a compaction of Claude Code writes behind its boundary. */
bool figure_is_summary(const struct message *message);

#endif
