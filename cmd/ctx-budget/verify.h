#ifndef CTX_BUDGET_VERIFY_H
#define CTX_BUDGET_VERIFY_H

/*
 * Whether the vocabularies of the exact encodings are as they were compiled, in all places where
 * they are looked for: opening one checks its header alone, this reads all of it.
 */

#include "base/fault.h"

/* Adds a line for each vocabulary: its encoding, its path, and "ok" or what is wrong, with tabs
 * between. Returns STATUS_CONFIG when one is wrong, else the status of one that is missing or
 * cannot be read. */
enum status verify_all(struct buf *text);

#endif
