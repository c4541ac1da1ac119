#ifndef TEXT_RECALL_H
#define TEXT_RECALL_H

/*
 * The command that a model types to read a text that was taken out of an archived session:
 *
 *     [stale: the file was changed later; ctx-recall A 0123456789ab]
 *
 * The model asked for a recalled text, so no transform shortens such a result; it may only be
 * dropped. The result is recognized by its call, since the text of a result may come from anybody:
 * a shell command that runs ctx-recall, or ctx-compact as in earlier versions.
 */

#include "data/archive/archive.h"
#include "json/write.h"

/* Appends "ctx-recall … KEY" for the record that the entry was before all changes; nothing when
 * nothing is archived. */
void recall_add_command(struct session *session, uint32_t entry, struct buf *buf);

/* "; ctx-recall … KEY" for the record that the entry was before all changes; "" when nothing is
 * archived. Lives as long as the session. */
struct str recall_clause(struct session *session, uint32_t entry);

/* Appends text, and the command that brings back the text that it replaces: before its last
 * bracket, if it ends in one. A text that already names the command does not get it again. */
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
