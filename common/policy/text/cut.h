#ifndef TEXT_CUT_H
#define TEXT_CUT_H

/*
 * Cutting the middle out of a text: its head and its tail stay, with a line between them that says
 * how much was cut. Cuts fall on code point boundaries.
 */

#include "policy/budget/weigh.h"

/* Appends text cut to about keep bytes, half of them from each end. A text of at most keep bytes is
 * appended as it is. */
void cut_middle(struct str text, size_t keep, struct buf *buf);

/* Sets *begin and *end to the bounds of the middle between so many bytes, or code points, from each
 * end. The text must be longer than both together. */
void cut_find(
    struct str text, size_t head, size_t tail, bool in_characters, size_t *begin, size_t *end);

/* Appends to lines, which is empty, the whole lines of the middle of text that is_telling chooses,
 * with their line ends: as many as fit into limit bytes. */
void cut_keep_lines(struct str text, size_t begin, size_t end, size_t limit,
    bool (*is_telling)(struct str line), struct buf *lines);

/* Appends text with its middle replaced by the line that says how much was cut, and by lines, which
 * were kept of the middle. recall is the command to read the full text (policy/text/recall.h), or
 * "". */
void cut_write(struct str text, size_t begin, size_t end, struct str lines, struct str recall,
    struct buf *buf);

/* Appends the line that says that so many bytes were cut. */
void cut_mark(size_t bytes, struct str recall, struct buf *buf);

/* Whether a JSON text has the line that cut_middle puts in the place of the middle. */
bool cut_is_in(struct str json);

/* Cuts the content of the entry to at most that many tokens and marks the message compacted. A
 * content that was shortened before is cut again from the content in the input. Returns false when
 * the message came compacted, when it is short enough, or when cutting saves nothing. */
bool cut_content(struct session *session, uint32_t entry, const struct change_rule *rule,
    uint64_t tokens, struct estimator *estimator);

/* The same, also for a content that was cut in an earlier run, if that saves more than the line
 * between head and tail. */
bool cut_content_again(struct session *session, uint32_t entry, const struct change_rule *rule,
    uint64_t tokens, struct estimator *estimator);

/* Whether a text of that many bytes is longer than the line between head and tail with the least of
 * both, so that a cut can make the text shorter. */
bool cut_is_worth(size_t bytes);

/* Whether a line of a shell's output says that something went wrong, or how it ended. */
bool cut_tells_of_error(struct str line);

#endif
