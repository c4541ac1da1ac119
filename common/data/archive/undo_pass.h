#ifndef ARCHIVE_UNDO_PASS_H
#define ARCHIVE_UNDO_PASS_H

/*
 * A pass of an archive (data/archive/archive_pass.h), read so that it can be undone. The values lie
 * in its text.
 */

#include "data/archive/archive_index.h"
#include "json/value.h"

struct undo_pass {
	struct buf text;
	struct json_value edits;
	struct json_value had;     /* of an earlier version: the budget records of the input */
	struct archive_key *wrote; /* the budget records of the output, in its order */
	uint32_t wrote_count, wrote_cap;
	bool is_old;    /* of an earlier version */
	bool is_open;   /* the last line of the input had no line end */
	bool has_lines; /* a line that is no budget record was changed, dropped or added */
};

/* Reads the entry, or another one of its key where its own bytes are damaged. Returns false when
 * there is no whole one. undo_pass_close in either case. */
bool undo_pass_open(struct undo_pass *pass, const struct archive_index *index, uint32_t item);
void undo_pass_close(struct undo_pass *pass);

/* Whether undoing the pass would change nothing. */
bool undo_pass_is_empty(const struct undo_pass *pass);

/* Reads the key that a member is. */
bool undo_pass_read_key(struct json_value value, struct archive_key *key);

#endif
