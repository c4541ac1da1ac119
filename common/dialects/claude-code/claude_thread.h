#ifndef CLAUDE_CODE_CLAUDE_THREAD_H
#define CLAUDE_CODE_CLAUDE_THREAD_H

/*
 * A thread of Claude Code: the messages of the main agent in one session, or those of one
 * sub-agent. A compaction acts on its own thread. Nodes are those of claude_tree.
 */

#include "dialects/claude-code/claude_uuids.h"
#include "dialects/parts/joiner.h"

#define CLAUDE_TREE_NONE CLAUDE_UUIDS_NONE /* no node */

struct claude_thread {
	struct joiner_thread records; /* its records that are not yet released */
	bool awaits_summary;          /* a compaction began, and its summary is still to come */
	uint32_t forgotten;           /* messages before this node are out of the context */
	/* Of these, the nodes that the newest compaction kept: */
	uint32_t number;      /* nodes with this number stay; 0: none */
	uint32_t first, last; /* nodes from first to last stay; first is after last: none */
	uint32_t tail;        /* the last kept node, or CLAUDE_TREE_NONE */
	struct joined *place; /* the mark before which the kept records go; NULL: none was kept */
	bool is_placed;       /* the kept records are there (only while the session grows) */
};

#define CLAUDE_THREAD_INIT \
	{ \
		.first = 1, .tail = CLAUDE_TREE_NONE \
	}

#endif
