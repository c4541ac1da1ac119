#ifndef AGENTS_AGENT_FILES_H
#define AGENTS_AGENT_FILES_H

/*
 * With --agents: the files of sub-agents that lie beside the operands. Each operand is followed by
 * those of its sub-agents, and of theirs, in the order of their names:
 *
 *     Claude Code    DIR/ID.jsonl: agent-*.jsonl in DIR/ID/subagents and below it, and those in DIR
 *                    of which the first line has ID for its sessionId
 *     Codex CLI      DIR has *.jsonl whose session_meta has the session for its parent thread; and
 *                    of the whole tree of sessions those, packed or not, with an id in their names
 *                    that the session says it called (agent_calls.h, rollouts.h)
 *     opencode       storage/session/PROJECT has *.json with the session for its parentID
 *
 * Nothing outside of the operand's directory, or of that tree, is looked at, no symbolic link is
 * followed, and no file is read twice. If an operand is the file of a sub-agent of another operand,
 * that other one is its caller and is read before it, since a fork repeats the messages of its
 * caller.
 */

#include "base/fault.h"
#include "base/hash/map.h"
#include "face/agents/rollouts.h"
#include "stream/file/folder.h"

struct agent_file {
	unsigned session;   /* the operand that was given, from 0 */
	const char *folder; /* the directory of that operand, or of Codex CLI of the file, … */
	const char *name;   /* … and its name in it, without .jsonl or .jsonl.zst */
	const char
	    *caller; /* of Codex CLI and opencode: the id of the session that called; or NULL */
	bool is_agent;
};

struct agent_files {
	struct arena arena;
	char **operand;          /* those that were given, with the others between them */
	struct agent_file *file; /* of each of them */
	unsigned count, cap, file_cap;
	struct map known;    /* the inodes of these files -> number of the operand; or UINT32_MAX */
	struct fault *fault; /* while they are looked for */
	struct map found;    /* ids of sub-agents of Codex CLI whose files are there -> 1 */
	unsigned operands;   /* that were given, … */
	const char **caller; /* … and the caller of each, … */
	unsigned *called_by; /* … and the operand whose sub-agent it is, or UINT_MAX */
	struct rollouts rollouts;
	/* The folder that was searched last, and the beginnings of its files: */
	const char *base;
	struct folder folder;
	struct agent_head *head; /* one for each entry */
};

/* Finds them. count is at least 1, and no operand is standard input. The fault is set
 * when a folder, or the head of a file in it, cannot be read. */
void agent_files_find(
    struct agent_files *files, char *const *operand, unsigned count, struct fault *fault);

void agent_files_free(struct agent_files *files);

#endif
