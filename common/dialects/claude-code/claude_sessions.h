#ifndef CLAUDE_CODE_CLAUDE_SESSIONS_H
#define CLAUDE_CODE_CLAUDE_SESSIONS_H

/*
 * The sessions in a stream of Claude Code's lines. They are told apart because a compaction takes
 * only lines of its own session out of the context. sessionId names a session. A line without
 * sessionId belongs to the session of the line before it in the same file. A session that is
 * resumed gets another name: where the first line under a new name repeats a known line, or has a
 * known line as parent, both names mean the session of the known line.
 */

#include "base/hash/hash.h"
#include "dialects/claude-code/claude_thread.h"

struct claude_session {
	struct claude_thread thread; /* the main agent's */
	uint32_t index;              /* in the list of claude_sessions */
	bool is_named;
	bool has_main;    /* a message of the main agent came */
	bool is_linked;   /* one of its messages follows another one */
	bool is_loose;    /* an answer follows nothing: a line without a parent begins no branch */
	uint32_t prompt;  /* the newest node of the main agent's user, or CLAUDE_TREE_NONE */
	uint32_t leaf;    /* the newest node of the main agent, or CLAUDE_TREE_NONE */
	uint32_t *called; /* agents that have records here, in the list of claude_agents */
	uint32_t called_count, called_cap;
};

struct claude_sessions {
	struct claude_session **list;
	uint32_t count;
	uint32_t cap;
	struct map by_name;
	struct map by_uuid;             /* uuid of each line seen so far -> session */
	struct claude_session *current; /* the session of the last line, or NULL */
	const char *file;               /* the file of the last line */
	struct buf scratch;
};

/* What tells the session of a line: its file and the members that identify it. */
struct claude_place {
	const char *file;
	struct json_value name;
	struct json_value uuid;
	struct json_value parent;
};

/* Finds the session of the line, or adds it. It becomes the current session. */
struct claude_session *claude_sessions_find(
    struct claude_sessions *sessions, const struct claude_place *place);

/* The session of a record of that file that has no identifying member: the current one. NULL when
 * the last line was of another file. */
struct claude_session *claude_sessions_at(const struct claude_sessions *sessions, const char *file);

void claude_sessions_free(struct claude_sessions *sessions);

#endif
