#ifndef SUMMARY_SUMMARY_OPENING_H
#define SUMMARY_SUMMARY_OPENING_H

/*
 * The words with which the text of an artifact begins. By them it is recognized where its metadata
 * is lost: an agent's session file has no place for that.
 *
 *     [summary] 12 earlier messages were dropped to save context
 *     [summary] Results below were cut to save context
 *     Summary of previous conversation\n12 earlier messages were dropped to save context
 */

#include "base/buf.h"

/* Appends the words. title is the first line instead of the mark; NULL: none. */
void summary_opening_write(const char *title, uint64_t dropped, struct buf *text);

/* Whether the inside of a JSON string begins with these words, after the mark or a first line that
 * is a title. */
bool summary_opening_begins(struct str json);

#endif
