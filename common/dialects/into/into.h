#ifndef INTO_INTO_H
#define INTO_INTO_H

/*
 * Writes the changes of a session's messages back into the file from which they were read. Records
 * stay byte for byte, unless their messages were changed or removed.
 *
 *     FILE     --reader--> messages, and the values of which each was made     into_own
 *     stream   messages that say their metadata.source                     into_take
 *              compares: the same, changed, gone, new                      into_end
 *
 * In a changed message, the strings that differ are replaced in their places, and parts and calls
 * that are gone are taken out of their lists (into_patch.h). A message that cannot be edited so,
 * such as an artifact in the place of calls, is taken out and written anew by the forms of --to,
 * with all messages that share its record, and with its calls and results (into_plan.h). Records
 * that make no message stay, unless they repeat a text that has changed.
 *
 * Time is linear in the file and the stream, except for sorting the changes.
 */

#include "dialects/into/into_state.h"

/* Begins with the text of the file, which must live as long as into: one document, or lines. The
 * lines after the first len bytes were appended to the file since its first reading. */
void into_init(struct into *into, const struct session_layout *format, struct str text, size_t len,
    bool is_document, struct fault *fault);

/* Reads the messages of the file, as ctx-normalize does with the same options. Returns false with
 * the fault set. */
bool into_read(struct into *into, const char *file, bool all, bool lossy);

/* Takes a message of the stream. Call after into_read. */
void into_take(struct into *into, struct str text);

/* Appends the new file. text is the file's text itself; the text given to into_init is the same, or
 * an unfolded copy of it. Returns false with the fault set. */
bool into_end(struct into *into, struct str text, struct buf *to);

void into_free(struct into *into);

#endif
