#ifndef AGENTS_AGENT_HEAD_H
#define AGENTS_AGENT_HEAD_H

/*
 * The first record of an agent's session file: the session's id, and the session whose sub-agent it
 * is.
 */

#include "base/arena.h"
#include "base/fault.h"

enum agent_head_kind {
	AGENT_HEAD_OTHER,
	AGENT_HEAD_CLAUDE_CODE,
	AGENT_HEAD_CODEX,
	AGENT_HEAD_OPENCODE,
};

struct agent_head {
	bool is_read;
	enum agent_head_kind kind;
	const char *id;     /* of the session, or NULL */
	const char *parent; /* the id of the session that it is a sub-agent's of, or NULL */
};

/* Reads the head of a file of the folder base: its first line, or the whole file where that is one
 * value. Ids lie in the arena. The fault is set when the file cannot be read. */
struct agent_head agent_head_read(
    const char *base, const char *name, struct arena *arena, struct fault *fault);

/* The same of a file of lines, which zstd may have packed. */
struct agent_head agent_head_read_lines(const char *path, struct arena *arena, struct fault *fault);

#endif
