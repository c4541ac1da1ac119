#ifndef TEXT_RECALL_H
#define TEXT_RECALL_H

/*
 * What a model types to read a text that was taken out of the session, where that is archived:
 *
 *     [stale: the file was changed later; ctx-recall A 0123456789ab]
 *
 * What a model has recalled it asked for, so that no transform takes it away again as long as it is
 * there at all. Such a result is told by its call, since what a result says may be anybody's: a
 * shell command that runs ctx-recall, or ctx-compact as it was before that.
 */

#include "data/archive/archive.h"
#include "json/write.h"

/* Appends "ctx-recall … KEY" for the record that the entry was before all changes; nothing when
 * nothing is archived. */
void recall_add_command(struct session *session, uint32_t entry, struct buf *buf);

/* "; ctx-recall … KEY" for the record that the entry was before all changes; "" when nothing is
 * archived. Lives as long as the session. */
struct str recall_clause(struct session *session, uint32_t entry);

/* Appends text, and the command that brings back what it stands for: inside of its last bracket,
 * if it ends in one. A text that names the command already gets it no second time. */
void recall_mark(struct session *session, uint32_t entry, struct str text, struct buf *buf);

/* Appends the command that lists the records of a list. */
void recall_add_list(
    const struct session *session, const struct archive_list *list, struct buf *buf);

/* Writes the key of the list as metadata.archived, and room for the pass, unless the list is
 * empty. */
void recall_write_key(const struct archive_list *list, struct json_writer *w);

/* Whether the entry is the successful result of a call that recalled something. */
bool recall_is_result(const struct session *session, uint32_t entry);

#endif
