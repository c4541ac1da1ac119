#ifndef CLAUDE_CODE_CLAUDE_SESSIONS_H
#define CLAUDE_CODE_CLAUDE_SESSIONS_H

/*
 * The sessions in a stream of Claude Code's lines, and all that the reader knows of each. Lines of
 * two sessions may have equal uuids, message ids and agents, and yet be unrelated; only this module
 * decides to which session a line belongs. sessionId names a session. A line without sessionId
 * belongs to the session of the line before it in the same file. A resumed session gets a new name:
 * if the first line with a uuid under a new name repeats a known line, or has a known line as its
 * parent, both names mean the session of the known line.
 */

#include "base/hash/map.h"
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
	struct map closed; /* ids of messages to which no later line adds */
	struct buf asked;  /* the uuid of the main agent's last human message */
	uint32_t first;    /* the agent of the first message */
	bool has_first;    /* first is known */
	bool has_uuid;     /* a line with a uuid came */
	bool has_main;     /* a message of the main agent came */
	bool is_linked;    /* one of its messages follows another one */
	bool is_loose;     /* an answer has no parent: a line without a parent begins no branch */
	uint32_t prompt;   /* the newest node of the main agent's user, or CLAUDE_TREE_NONE */
	uint32_t leaf;     /* the newest node of the main agent, or CLAUDE_TREE_NONE */
	struct hash stood; /* the line to which the user went, as the client noted it; or zero */
	bool has_gone;     /* the user went there, and no message came after */
	bool has_turned;   /* a change may concern messages already sent (claude_growth.h) */
	bool was_told;     /* at the last check, a line without a parent began a branch */
	uint32_t seen;     /* the end of the path at the last check, or CLAUDE_TREE_NONE */
	uint32_t *called;  /* agents that have records here, in the list of agents */
	uint32_t called_count, called_cap;
};

struct claude_sessions {
	struct claude_session **list;
	uint32_t count;
	uint32_t cap;
	struct map by_name;
	struct buf newest_name;         /* the name of the last line, JSON, … */
	uint32_t newest;                /* … and its session; most lines have the same name */
	struct claude_uuids uuids;      /* of lines seen so far */
	struct claude_session *current; /* the session of the last line, or NULL */
	const char *file;               /* the file of the last line */
};

/* Finds the session of the line, or adds it. The session becomes the current one. */
struct claude_session *claude_sessions_find(
    struct claude_sessions *sessions, const struct claude_line *line);

/* The session for a record of that file without any identifying member: the current one, or NULL if
 * the last line was of another file. */
struct claude_session *claude_sessions_at(const struct claude_sessions *sessions, const char *file);

/* Whether the record is of a branch that was left. */
bool claude_sessions_left(const struct claude_sessions *sessions, const struct joined *joined);

/* Whether a line without a parent begins a branch: messages of the session have parents, and no
 * answer lacks one. */
bool claude_sessions_is_told(const struct claude_session *session);

/* Notes a record last-prompt of the session: the line to which the user went. */
void claude_sessions_stand(struct claude_session *session, struct json_value record);

/* Marks the messages of branches that were left. The path ends with the newest message; or with the
 * line that the client noted for the user, if the newest message does not follow that line, or the
 * user went back there. Takes time linear in the number of nodes. */
void claude_sessions_leave(struct claude_session *session);

void claude_sessions_free(struct claude_sessions *sessions);

/* Sets the thread of the line, whose session and agent are known. A sub-agent whose line comes
 * before any of the main agent's has the session for itself, in a file of its own. */
void claude_sessions_find_thread(struct claude_line *line);

/* Drops the records so far of the thread, which belongs to that session. Returns how many of them
 * were messages. */
uint64_t claude_sessions_drop_thread(
    struct joiner *joiner, struct claude_session *session, struct claude_thread *thread);

#endif
