#ifndef POLICY_CUT_H
#define POLICY_CUT_H

/*
 * Cutting the middle out of a text: its head and its tail stay, with a line between them that says
 * how much went. Cuts fall on code point boundaries.
 */

#include "policy/weigh.h"

/* Appends text cut to about keep bytes, half of them from each end; text itself when it is no
 * longer than that. */
void cut_middle(struct str text, size_t keep, struct buf *buf);

/* The same for a text that is longer than keep; lines is what stays of the middle, text that ends a
 * line or "". */
void cut_middle_but(struct str text, size_t keep, struct str lines, struct buf *buf);

/* Where the middle begins and ends that cut_middle takes from a text longer than keep. */
void cut_find(struct str text, size_t keep, size_t *begin, size_t *end);

/* Whether a JSON text holds what cut_middle says in the place of a middle. */
bool cut_is_in(struct str json);

/* Cuts an entry's content to at most tokens and marks it compacted; false when it is compacted or
 * short enough already, or cutting saves nothing. */
bool cut_content(struct session *session, uint32_t entry, const struct change_rule *rule,
    uint64_t tokens, struct estimator *estimator);

#endif
