#ifndef DATA_UNDO_PASS_H
#define DATA_UNDO_PASS_H

/*
 * A pass of an archive (data/archive_pass.h), read so that it can be undone. The values lie in its
 * text.
 */

#include "data/archive_index.h"
#include "json/value.h"

struct undo_pass {
	struct buf text;
	struct json_value edits;
	struct json_value budget;
	struct archive_key wrote; /* the budget record of the output */
	bool has_wrote;
	bool is_open; /* the last line of the input had no line end */
};

/* Reads the entry, or another one of its key where its own bytes are damaged. Returns false when
 * there is no whole one. undo_pass_close in either case. */
bool undo_pass_open(struct undo_pass *pass, const struct archive_index *index, uint32_t item);
void undo_pass_close(struct undo_pass *pass);

/* Whether the pass changed a line that is no budget record. */
bool undo_pass_has_edits(const struct undo_pass *pass);

/* Whether undoing the pass gives what undoing the whole one does, as far as the pass wrote lines,
 * which the whole one wrote too. False where that is not plain to see. */
bool undo_pass_is_part(const struct undo_pass *pass, const struct undo_pass *whole);

/* Reads the key that a member is. */
bool undo_pass_read_key(struct json_value value, struct archive_key *key);

#endif
