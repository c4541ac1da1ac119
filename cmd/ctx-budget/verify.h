#ifndef CTX_BUDGET_VERIFY_H
#define CTX_BUDGET_VERIFY_H

/*
 * Checks that the vocabularies of the exact encodings are undamaged, in all places where
 * vocabularies are searched for. Opening a vocabulary checks only its header; verifying reads the
 * whole file.
 */

#include "base/fault.h"

/* Adds a tab-separated line for each vocabulary: its encoding, its path, and "ok" or the defect.
 * Returns STATUS_CONFIG when a vocabulary is damaged, else the status of one that is missing or
 * cannot be read. */
enum status verify_all(struct buf *text);

#endif
