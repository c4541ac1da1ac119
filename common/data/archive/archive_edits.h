#ifndef ARCHIVE_ARCHIVE_EDITS_H
#define ARCHIVE_ARCHIVE_EDITS_H

/*
 * Collects the edits of a pass (data/archive/archive_pass.h) while the records of a stream are read
 * in order. The records are of one session, or of many in turn.
 */

#include "base/hash/map.h"
#include "data/archive/archive.h"
#include "json/write.h"
#include "stream/output.h"

struct archive_edits {
	struct session *session;
	struct output *out; /* NULL: nothing is written */
	bool drops_bad;
	struct map written; /* the keys of entries that were written */
	struct buf text;    /* as JSON */
	struct json_writer writer;
	struct archive_chain chain;     /* the key of the output */
	struct buf sessions;            /* the keys of the passes of sessions, as JSON, or "" */
	char id[ARCHIVE_KEY_SHORT + 2]; /* as a JSON string */
	bool is_open;                   /* the last line of the input has no line end */
	uint64_t lines;                 /* lines of the output, without budget records */
};

void archive_edits_begin(struct archive_edits *edits);

/* The first notes the record that change number added; the second notes the entry index, with all
 * pieces of a long line. Records that were removed are written to out, with their origin. */
void archive_edits_add(struct archive_edits *edits, uint32_t number);
void archive_edits_read(struct archive_edits *edits, uint32_t index);

/* Adds the lines that are written for that change or entry to the chain of the output. */
void archive_edits_chain_added(struct archive_edits *edits, uint32_t number);
void archive_edits_chain_entry(struct archive_edits *edits, uint32_t index);

/* Ends the edits, and sets their ID. */
void archive_edits_end(struct archive_edits *edits);

/* Writes the pass to out. Returns its key. */
struct archive_key archive_edits_write(const struct archive_edits *edits, struct output *out);

/* Writes an entry of the archive. */
void archive_edits_put(
    struct output *out, const struct archive_key *key, enum archive_kind kind, struct str text);

#endif
