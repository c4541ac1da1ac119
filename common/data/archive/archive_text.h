#ifndef ARCHIVE_ARCHIVE_TEXT_H
#define ARCHIVE_ARCHIVE_TEXT_H

/*
 * An archived record as plain text, for ctx-recall: the texts that a model read, one below the
 * other. Each member of the arguments of a call begins a line. A string is decoded, so that line
 * ends in the string are line ends of the text:
 *
 *     write
 *     path: a.c
 *     content: #include <stdio.h>
 *     int
 *     main(void)
 *
 * A patch or JSON may be one long line in which "\n" is an escape. A line with such escapes and
 * more than 200 bytes is broken after each of them, so that a search can find and count its lines.
 */

#include "data/archive/archive_index.h"

/* Appends the text of the message. */
void archive_text_write(const struct message *message, struct buf *text);

/* Appends the beginning of a text as one line. */
void archive_text_beginning(struct str text, struct buf *line);

/* Loads the record of the entry into json, and reads message from json. When the record was
 * compacted already and the archive has its earlier form too, loads the earlier form. Returns false
 * when the entry is no record or does not match its key. */
bool archive_text_load(
    const struct archive_index *index, uint32_t item, struct buf *json, struct message *message);

/* Appends the origin of the record with that key, as far as the archive has it:
 * " read src/a.c, turn 2, 2026-11-23T10:00:00Z". When several messages had equal records, appends
 * the newest three origins, joined by " or", and "…" if there are more. */
void archive_text_about(
    const struct archive_index *index, const struct archive_key *record, struct buf *text);

/* Appends a line for each record of a list entry: its key, its role, and the start of its text.
 * Returns false when the entry does not match its key. */
bool archive_text_list(const struct archive_index *index, uint32_t item, struct buf *text);

#endif
