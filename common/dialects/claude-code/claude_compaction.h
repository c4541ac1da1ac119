#ifndef CLAUDE_CODE_CLAUDE_COMPACTION_H
#define CLAUDE_CODE_CLAUDE_COMPACTION_H

/*
 * The lines that a compaction of Claude Code keeps. compactMetadata of the boundary says which
 * lines before the boundary stay in the context, and after which line they are put:
 *
 *     preservedMessages{anchorUuid, uuids}              these lines, in this order
 *     preservedSegment{headUuid, anchorUuid, tailUuid}  those from head to tail; older versions
 *
 *     a, b, c, d, (boundary: c and d), summary, e   ->   summary, c, d, e
 *
 * The anchor is the summary or the boundary; after the boundary means before the summary. Only the
 * newest compaction of a thread counts, so lines are moved once, at the end.
 */

#include "dialects/claude-code/claude_tree.h"

/* Notes the messages that the compaction with that metadata, whose line has the uuid, keeps of the
 * thread, and takes all other messages of the thread so far out of the context. Returns whether it
 * keeps a message; if so, the kept messages belong at this place of the session, and the caller has
 * to call claude_compaction_finish. */
bool claude_compaction_begin(struct joiner *joiner, const struct joiner_session *session,
    struct claude_tree *tree, struct claude_thread *thread, struct json_value uuid,
    struct json_value metadata);

/* Notes that the summary of the compaction, a line with that uuid, has been read: the kept messages
 * go after it, unless the anchor was the boundary. */
void claude_compaction_summarize(struct joiner *joiner, struct claude_tree *tree,
    struct claude_thread *thread, struct json_value uuid);

/* Puts the records that the newest compaction kept into their place, and takes them back if they
 * were sent. The other records stay where they are, since a later compaction may keep them. */
void claude_compaction_place(
    struct joiner *joiner, const struct claude_tree *tree, struct claude_thread *thread);

/* Drops the records of the thread that are out of the context, and puts those that the newest
 * compaction kept into their place. Returns how many messages were dropped. */
uint64_t claude_compaction_finish(
    struct joiner *joiner, const struct claude_tree *tree, struct claude_thread *thread);

#endif
