#ifndef ARCHIVE_CANDIDATES_H
#define ARCHIVE_CANDIDATES_H

/*
 * The passes of an archive that may be undone on the streams of one run, and their state. The
 * passes that wrote one stream are read once, when that stream is looked up. They are in two lists:
 *
 *     lines      passes that fit wherever the lines that they wrote are
 *     group      passes that wrote a budget record, a group for each such record: they fit better
 *                where that record is in the stream. A pass that did nothing else fits nowhere else
 *
 * In both lists the best pass is the last one, which is the newest; a pass of a session is after
 * that of its stream, which includes its edits. A pass that is done is removed once it is the last
 * one of its list. So undoing many passes of one stream takes no longer than reading them.
 */

#include "base/hash/map.h"
#include "data/archive/archive_index.h"

struct candidate_mark {
	bool is_done;     /* it was undone */
	bool is_damaged;  /* no entry of the pass matches its key */
	bool is_part;     /* a pass of the stream includes its edits */
	bool is_noted;    /* it is in the list noted */
	uint32_t instead; /* the other pass that was undone although this one fitted too, or NONE */
};

struct candidate {
	uint32_t item;
	bool is_whole;            /* it is a pass of a stream, not of one of its sessions */
	bool is_part;             /* see candidate_mark */
	struct archive_key wrote; /* in a group: the key of the budget record */
};

/* A list of passes; the best one is the last. */
struct candidate_group {
	const struct candidate *first;
	uint32_t count;
	bool is_marked; /* all passes were marked when another one was undone */
};

struct candidate_stream {
	struct candidate *candidate; /* the passes of lines, then those of the groups */
	struct candidate_group lines;
	struct candidate_group *group; /* in the order of the keys of their budget records */
	uint32_t group_count;
};

struct candidates {
	const struct archive_index *index;
	struct candidate_mark *mark; /* by the index of the entry in the archive */
	struct candidate_stream *stream;
	uint32_t stream_count, stream_cap;
	struct map by_newest; /* streams by the number of their newest pass */
	uint32_t *noted;      /* passes that are damaged, or fitted when another one was undone */
	uint32_t noted_count, noted_cap;
};

/* index must live as long as the passes. */
void candidates_open(struct candidates *passes, const struct archive_index *index);
void candidates_close(struct candidates *passes);

/* The passes of a stream; newest is its newest pass, from archive_index_pass. The result is valid
 * until the next call. */
struct candidate_stream *candidates_read(struct candidates *passes, uint32_t newest);

/* The group of the passes that wrote the budget record with that key, or NULL. */
struct candidate_group *candidates_group(
    const struct candidate_stream *stream, const struct archive_key *wrote);

/* The best pass of the group that is not done, or NULL. */
const struct candidate *candidates_best(
    const struct candidates *passes, struct candidate_group *group);

/* Marks all passes that are left in the group: pass instead was undone, and not one of these. */
void candidates_mark(struct candidates *passes, struct candidate_group *group, uint32_t instead);

/* Marks all passes with that key as done, since an entry that occurs twice counts once. */
void candidates_end(struct candidates *passes, const struct archive_key *key);

#endif
