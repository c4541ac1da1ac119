#ifndef CLAUDE_CODE_CLAUDE_COMPACTION_H
#define CLAUDE_CODE_CLAUDE_COMPACTION_H

/*
 * What a compaction of Claude Code keeps. Its boundary says in compactMetadata which lines before
 * it stay in the context, and behind which line they go:
 *
 *     preservedMessages{anchorUuid, uuids}              these lines, in this order
 *     preservedSegment{headUuid, anchorUuid, tailUuid}  those from head to tail; older versions
 *
 *     a, b, c, d, (boundary: c and d), summary, e   ->   summary, c, d, e
 *
 * The anchor is the summary, or the boundary: then what is kept goes before the summary. Only the
 * newest compaction of a thread counts, so what the earlier ones kept moves once, at the end.
 */

#include "dialects/claude-code/claude_tree.h"

/* Notes what the compaction with that metadata, whose line has the uuid, keeps of the thread and
 * takes all other messages of the thread so far out of the context. Returns whether it keeps a
 * message; then their place in the session is here, and claude_compaction_finish is due. */
bool claude_compaction_begin(struct joiner *joiner, const struct joiner_session *session,
    struct claude_tree *tree, struct claude_thread *thread, struct json_value uuid,
    struct json_value metadata);

/* Notes that the summary of the compaction, a line with that uuid, has been read: what is kept goes
 * behind it, unless the anchor was the boundary. */
void claude_compaction_summarize(struct joiner *joiner, struct claude_tree *tree,
    struct claude_thread *thread, struct json_value uuid);

/* Puts the records that the newest compaction kept into their place. Those that left are taken
 * back. The others stay where they are, since a later compaction may keep them. */
void claude_compaction_place(
    struct joiner *joiner, const struct claude_tree *tree, struct claude_thread *thread);

/* Drops the records of the thread that are out of the context, and puts those that the newest
 * compaction kept into their place. Returns how many messages were dropped. */
uint64_t claude_compaction_finish(
    struct joiner *joiner, const struct claude_tree *tree, struct claude_thread *thread);

#endif
