#ifndef ARCHIVE_CANDIDATES_H
#define ARCHIVE_CANDIDATES_H

/*
 * What is known of the passes of an archive, while they are undone on the streams of one run. The
 * passes that wrote one stream are read when that stream is asked for, and once:
 *
 *     lines      those that fit wherever their lines are there
 *     group      those that fit better where the budget record is there which they wrote: a group
 *                of each such record; those that did no more fit nowhere else
 *
 * In both the best one is the last: the newest; a pass of a session is behind that of the stream,
 * which does the same and more. A pass that is done leaves the end of its lists when it gets
 * there, so that undoing many passes of one stream takes no longer than reading them.
 */

#include "data/archive/archive_index.h"

struct candidate_mark {
	bool is_done;     /* it was undone */
	bool is_damaged;  /* it has no whole entry */
	bool is_part;     /* a pass of a stream does what it did, too */
	bool is_noted;    /* it is in the list noted */
	uint32_t instead; /* the pass that was undone when this one fitted as well, or NONE */
};

struct candidate {
	uint32_t item;
	bool is_whole;            /* of a stream, and not of one of its sessions */
	bool is_part;             /* see candidate_mark */
	struct archive_key wrote; /* in a group: the budget record */
};

/* The best one is the last. */
struct candidate_group {
	const struct candidate *first;
	uint32_t count;
	bool is_marked; /* all were marked when another one was undone */
};

struct candidate_stream {
	struct candidate *candidate; /* of lines, and then of the groups */
	struct candidate_group lines;
	struct candidate_group *group; /* in the order of the keys of their budget records */
	uint32_t group_count;
};

struct candidates {
	const struct archive_index *index;
	struct candidate_mark *mark; /* by entry of the archive */
	struct candidate_stream *stream;
	uint32_t stream_count, stream_cap;
	struct map by_newest; /* streams by the number of their newest pass */
	uint32_t *noted;      /* passes that are damaged, or fitted when another one was undone */
	uint32_t noted_count, noted_cap;
};

/* index must live as long as the passes. */
void candidates_open(struct candidates *passes, const struct archive_index *index);
void candidates_close(struct candidates *passes);

/* The passes of the stream whose newest pass that is, as archive_index_pass says. It lives until
 * the next call. */
struct candidate_stream *candidates_read(struct candidates *passes, uint32_t newest);

/* The group of the budget record of that key, or NULL. */
struct candidate_group *candidates_group(
    const struct candidate_stream *stream, const struct archive_key *wrote);

/* The best pass of the group that is not done, or NULL. */
const struct candidate *candidates_best(
    const struct candidates *passes, struct candidate_group *group);

/* Marks what is left of the group: the pass was undone instead. */
void candidates_mark(struct candidates *passes, struct candidate_group *group, uint32_t instead);

/* Notes that the passes of that key are done: an entry that is there twice is one. */
void candidates_end(struct candidates *passes, const struct archive_key *key);

#endif
