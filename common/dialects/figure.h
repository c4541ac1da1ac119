#ifndef DIALECTS_FIGURE_H
#define DIALECTS_FIGURE_H

/*
 * The size of the context, as a record of a log states it. To know the current size, it is enough
 * to read the last such record, and the records after it.
 *
 *     answer      the usage that the provider reported with it: prompt and answer
 *     compaction a budget record, or a boundary of Claude Code: the tokens left in the context
 */

#include "data/message/message.h"

enum figure_kind {
	FIGURE_NONE,       /* the record says nothing of the context */
	FIGURE_ANSWER,     /* tokens is the context up to this record */
	FIGURE_COMPACTION, /* the same, and includes a summary that directly follows the record */
	FIGURE_BOUNDARY,   /* the context begins after this record; tokens is 0 */
	FIGURE_SUMMARY,    /* the context before this record is gone, and its figures are void */
};

struct figure {
	enum figure_kind kind;
	uint64_t tokens;
	/* of a budget record: the tokens of the system prompt, which tokens does not include */
	uint64_t system;
};

/* Reads the figure of a record. */
struct figure figure_read(const struct message *message);

/* 1 if the record is a message of an agent that another agent called, 0 if not, and -1 if it is no
 * message. In a log of its own, all messages of a called agent may give 1. */
int figure_is_side(const struct message *message);

/* Whether the record is the summary that a compaction of Claude Code writes after its boundary. */
bool figure_is_summary(const struct message *message);

#endif
