#ifndef CLAUDE_CODE_CLAUDE_SESSIONS_H
#define CLAUDE_CODE_CLAUDE_SESSIONS_H

/*
 * The sessions in a stream of Claude Code's lines, and all that the reader knows of each: lines of
 * two sessions may have equal uuids, message ids and agents, and mean nothing to each other. This
 * is the one place that says of which session a line is. sessionId names a session. A line without
 * sessionId belongs to the session of the line before it in the same file. A session that is
 * resumed gets another name: where the first line with a uuid under a new name repeats a known
 * line, or has a known line as parent, both names mean the session of the known line.
 */

#include "base/hash/hash.h"
#include "dialects/claude-code/claude_agents.h"
#include "dialects/claude-code/claude_branches.h"
#include "dialects/claude-code/claude_thread.h"
#include "dialects/claude-code/claude_tree.h"

struct claude_session {
	struct joiner_session of; /* its first name, and its index in the list of claude_sessions */
	struct buf name;          /* the bytes of that name */
	struct claude_thread thread; /* the main agent's */
	struct claude_agents agents;
	struct claude_tree tree;
	struct claude_branches branches;
	struct map closed; /* ids of messages that no line continues any more */
	struct buf asked;  /* the uuid of the main agent's last human message */
	uint32_t first;    /* the agent of the first message */
	bool has_first;    /* first is known */
	bool has_uuid;     /* a line with a uuid came */
	bool has_main;     /* a message of the main agent came */
	bool is_linked;    /* one of its messages follows another one */
	bool is_loose;     /* an answer follows nothing: a line without a parent begins no branch */
	uint32_t prompt;   /* the newest node of the main agent's user, or CLAUDE_TREE_NONE */
	uint32_t leaf;     /* the newest node of the main agent, or CLAUDE_TREE_NONE */
	struct hash stood; /* the line where the user stood, as the client noted it; or zero */
	bool has_gone;     /* the user went there, and nothing came after */
	bool has_turned;   /* something changed that may change what is sent (claude_growth.h) */
	bool was_told;     /* a line without a parent began a branch when that was looked at */
	uint32_t seen;     /* where the path ended when it was looked at, or CLAUDE_TREE_NONE */
	uint32_t *called;  /* agents that have records here, in the list of agents */
	uint32_t called_count, called_cap;
};

struct claude_sessions {
	struct claude_session **list;
	uint32_t count;
	uint32_t cap;
	struct map by_name;
	struct buf newest_name;         /* the name that was given last, JSON, … */
	uint32_t newest;                /* … and its session; most lines have the same */
	struct claude_uuids uuids;      /* of lines seen so far */
	struct claude_session *current; /* the session of the last line, or NULL */
	const char *file;               /* the file of the last line */
};

/* Finds the session of the line, or adds it. It becomes the current session. */
struct claude_session *claude_sessions_find(
    struct claude_sessions *sessions, const struct claude_line *line);

/* The session of a record of that file that has no identifying member: the current one. NULL when
 * the last line was of another file. */
struct claude_session *claude_sessions_at(const struct claude_sessions *sessions, const char *file);

/* Whether the record is of a branch that was left. */
bool claude_sessions_left(const struct claude_sessions *sessions, const struct joined *joined);

/* Whether an answer that follows no line is none of the session's: then a line without a parent
 * begins a branch. */
bool claude_sessions_is_told(const struct claude_session *session);

/* Notes a record last-prompt of the session: where the user stood. */
void claude_sessions_stand(struct claude_session *session, struct json_value record);

/* Marks the messages of branches that were left. The path ends with the newest message; but where
 * the user stood, when that one does not follow it, or the user went there. Takes time linear in
 * the number of nodes. */
void claude_sessions_leave(struct claude_session *session);

void claude_sessions_free(struct claude_sessions *sessions);

/* Sets the thread of the line, whose session and agent are known. A sub-agent whose line comes
 * before any of the main agent's has the session for itself, in a file of its own. */
void claude_sessions_find_thread(struct claude_line *line);

/* Drops the records of the thread so far, which is of that session. Returns how many of them were
 * messages. */
uint64_t claude_sessions_drop_thread(
    struct joiner *joiner, struct claude_session *session, struct claude_thread *thread);

#endif
