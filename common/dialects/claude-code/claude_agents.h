#ifndef CLAUDE_CODE_CLAUDE_AGENTS_H
#define CLAUDE_CODE_CLAUDE_AGENTS_H

/*
 * The agents of one Claude Code session. Lines of a sub-agent are marked isSidechain. The name of
 * the sub-agent is agentId. In files of old versions, without agentId, the name is the uuid of the
 * sub-agent's first line, to which the chain of parentUuid leads.
 */

#include "base/hash/map.h"
#include "dialects/claude-code/claude_line.h"
#include "dialects/claude-code/claude_thread.h"

enum { CLAUDE_MAIN };

struct claude_agent {
	struct buf name;      /* empty: the main agent */
	struct buf parent;    /* id of the execution that called the agent */
	struct joined *open;  /* the message whose lines are being joined */
	struct hash open_key; /* of its id */
	uint32_t node;        /* of that message in claude_tree */
	/* Of a sub-agent: */
	struct claude_thread *thread; /* NULL: the main agent */
	bool is_known;                /* the members below are set */
	/* it is in the session of another agent; else it has its own session */
	bool is_child;
	bool is_listed;  /* it is in the list called of its session */
	uint32_t caller; /* node of the message during which it was called, or
	                                 CLAUDE_TREE_NONE */
};

struct claude_agents {
	struct claude_agent *list; /* 0 is the main agent */
	uint32_t count;
	uint32_t cap;
	uint32_t unnamed; /* the newest sub-agent without an agentId, or CLAUDE_UUIDS_NONE */
	struct map by_name;
	struct claude_uuids *uuids; /* of the lines seen so far */
	uint32_t session;           /* in uuids */
	/* uuid, role and content of each line, except the first with that uuid -> 1 */
	struct map said;
	struct map copies; /* uuid of two different lines -> how many lines have had that name */
	struct buf scratch;
	struct buf id; /* the id that claude_agents_name made */
};

/* uuids, which outlives the agents, has all that is known of uuids, under that session. */
void claude_agents_init(struct claude_agents *agents, struct claude_uuids *uuids, uint32_t session);
void claude_agents_free(struct claude_agents *agents);

/* Finds the agent of the line, or adds it. Returns its index in list. */
uint32_t claude_agents_find(struct claude_agents *agents, const struct claude_line *line);

enum claude_agents_repetition {
	CLAUDE_NEW,      /* no line with that uuid was noted before */
	CLAUDE_REPEATED, /* a line with that uuid, role and content was noted before */
	CLAUDE_OTHER,    /* a line with that uuid says something else */
};

/* Whether a line with the same uuid, role and content was noted. */
bool claude_agents_has(const struct claude_agents *agents, const struct claude_line *line);

/* Notes the line as one of its agent. */
enum claude_agents_repetition claude_agents_note(
    struct claude_agents *agents, const struct claude_line *line);

/* Makes a new uuid, which no line has, from a uuid that two different lines have, and notes the new
 * one: "-2" or the next free number is appended. The result lives until the next call. */
struct json_value claude_agents_name(
    struct claude_agents *agents, struct json_value uuid, uint32_t agent);

#endif
