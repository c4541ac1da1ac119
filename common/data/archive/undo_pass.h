#ifndef ARCHIVE_UNDO_PASS_H
#define ARCHIVE_UNDO_PASS_H

/*
 * A pass of an archive (data/archive/archive_pass.h), read in order to undo it. The values point
 * into its text.
 */

#include "data/archive/archive_index.h"
#include "json/members.h"

struct undo_pass {
	struct buf text;
	struct json_value id; /* absent: of an earlier version */
	struct json_value edits;
	struct json_value sessions; /* the keys of the passes of sessions that are undone with it */
	struct json_value had;      /* earlier versions: the budget records of the input */
	struct archive_key *wrote;  /* the budget records of the output, in order */
	uint32_t wrote_count, wrote_cap;
	bool is_whole;  /* a pass of a stream, not of one of its sessions: sessions is there */
	bool is_old;    /* it has no id */
	bool is_open;   /* the last line of the input had no line end */
	bool has_lines; /* a line that is no budget record was changed, dropped or added */
};

/* Reads the entry; when its text does not match its key, an older entry with the same key. Returns
 * false when no entry matches. Call undo_pass_close in both cases. */
bool undo_pass_open(struct undo_pass *pass, const struct archive_index *index, uint32_t item);
void undo_pass_close(struct undo_pass *pass);

/* Whether undoing the pass would change nothing. */
bool undo_pass_is_empty(const struct undo_pass *pass);

/* Reads the key of the next pass of a session from a walk over sessions. Returns false when there
 * is none. */
bool undo_pass_next_session(struct json_walk *sessions, struct archive_key *key);

/* Reads the key from a member whose value it is. Returns false when value is no key. */
bool undo_pass_read_key(struct json_value value, struct archive_key *key);

#endif
