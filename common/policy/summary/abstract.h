#ifndef SUMMARY_ABSTRACT_H
#define SUMMARY_ABSTRACT_H

/*
 * Replaces most of the digest by the text of a command. The pass runs first, with room for such a
 * text (compaction_options.leaves_room), and makes a digest. So the command runs once, when the
 * dropped messages are certain:
 *
 *     pipeline_run       [digest                      ]
 *     abstract_open    the removed entries, and the room for a text
 *     abstract_put     [text of the command | facts ]
 *
 * Facts, constraints and names stay beside the text, whatever it says.
 *
 * If symbolize made the artifact, the text has a line for each dropped message. It replaces the
 * built-in lines; the lines of the earlier artifact stay before it.
 */

#include "policy/summarizer/brief.h"
#include "policy/summary/summary.h"

struct abstract {
	struct compaction *compaction;
	struct brief request; /* with an earlier summary, if it is to be brought up to date */
	struct summary summary;
	uint32_t *entry;  /* the dropped messages, in the order of the log */
	uint32_t change;  /* that of the artifact */
	bool has_symbols; /* symbolize made it */
	uint64_t allowed; /* tokens that the artifact may have */
	uint64_t least;   /* tokens of the artifact without the text */
};

enum abstract_answer {
	ABSTRACT_NOTHING, /* summarize or symbolize took nothing out */
	ABSTRACT_NO_ROOM, /* for a text beside the facts */
	ABSTRACT_READY,
};

/* Finds what summarize or symbolize took out in this pass, for a request, request.tokens included.
 * Call abstract_close in any case. */
enum abstract_answer abstract_open(struct abstract *abstract, struct compaction *c);

/* The tokens of a text. */
uint64_t abstract_count(struct abstract *abstract, struct str text);

/* Puts the text into the artifact, with as much of the facts beside it as there is room for.
 * Returns false when the artifact would not be smaller than what it replaces; nothing is changed
 * then. */
bool abstract_put(struct abstract *abstract, struct str text);

void abstract_close(struct abstract *abstract);

#endif
