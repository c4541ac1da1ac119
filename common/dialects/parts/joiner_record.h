#ifndef PARTS_JOINER_RECORD_H
#define PARTS_JOINER_RECORD_H

/*
 * One record of a joiner: its memory, which is used again for the next one, and how it leaves. Only
 * modules of the joiner include this.
 */

#include "dialects/parts/joiner.h"

/* Adds a record without text at the end of the list, and of its thread. session and thread may be
 * NULL. */
struct joined *joiner_record_append(struct joiner *joiner, const struct joiner_session *session,
    struct joiner_thread *thread, const struct line *from);

/* A draft, which is to be emptied, and its end; draft may be NULL. */
struct draft *joiner_record_new_draft(struct joiner *joiner);
void joiner_record_free_draft(struct joiner *joiner, struct draft *draft);

/* Takes the record out of the list, and of its thread, and frees it. */
void joiner_record_discard(struct joiner *joiner, struct joined *joined);

/* The name of the session for struct record: a string, or NULL. */
const struct json_value *joiner_record_session(const struct joiner_session *session);

/* Emits the record, whose text is complete; the text may be in stow. Where that cannot be read, the
 * fault of the stage is set. */
void joiner_record_emit(struct joiner *joiner, struct joined *joined);

#endif
