#ifndef ARCHIVE_ARCHIVE_TEXT_H
#define ARCHIVE_ARCHIVE_TEXT_H

/*
 * What an archived record said, as text for whoever recalls it: the texts that a model read, one
 * below the other. Of the arguments of a call, each member begins a line, and its string stands
 * there decoded, so that its lines are lines:
 *
 *     write
 *     path: a.c
 *     content: #include <stdio.h>
 *     int
 *     main(void)
 *
 * A patch or JSON may be one long line whose line ends are escapes, "\n". Such a line, of more than
 * 200 bytes, is cut behind each, so that a look-up finds and counts its lines.
 */

#include "data/archive/archive_index.h"
#include "data/message/texts.h"

/* Appends the text of the message. */
void archive_text_write(const struct message *message, struct buf *text);

/* Appends the beginning of a text as one line. */
void archive_text_beginning(struct str text, struct buf *line);

/* Sets json to the record of the entry, or, where that was compacted and what it was before is in
 * the archive too, to that. message is read from json. Returns false when the entry is no record or
 * does not match its key. */
bool archive_text_load(
    const struct archive_index *index, uint32_t item, struct buf *json, struct message *message);

/* Appends whose message the record of that key was, as far as the archive says so:
 * " read src/a.c, turn 2, 2026-11-23T10:00:00Z". Equal records may have been of several messages;
 * the newest three are joined by " or", and "…" says that there are more. */
void archive_text_about(
    const struct archive_index *index, const struct archive_key *record, struct buf *text);

/* Appends a line for each record of a list entry: its key, its role, and how its text begins.
 * Returns false when the entry does not match its key. */
bool archive_text_list(const struct archive_index *index, uint32_t item, struct buf *text);

#endif
