#ifndef DIALECTS_CLAUDE_AGENTS_H
#define DIALECTS_CLAUDE_AGENTS_H

/*
 * The agents of a Claude Code session. Lines of a sub-agent are marked isSidechain; agentId names
 * it, and where there is none (old versions) the chain of parentUuid leads to its first line, whose
 * uuid names it then.
 */

#include "base/hash.h"
#include "dialects/joiner.h"

enum { CLAUDE_MAIN, CLAUDE_NONE = UINT32_MAX };

struct claude_agent {
	struct buf name;      /* empty: the session's main thread */
	struct buf parent;    /* what stands for the execution that called it */
	struct joined *open;  /* the message whose lines are being joined */
	struct buf open_id;
};

struct claude_agents {
	struct claude_agent *list; /* 0 is the main thread */
	uint32_t count;
	uint32_t cap;
	uint32_t unnamed;          /* the newest without an agentId, or CLAUDE_NONE */
	struct map by_name;
	struct map by_uuid;        /* of every line that was seen */
	struct buf scratch;
};

/* What tells whose line it is. */
struct claude_origin {
	struct json_value uuid;
	struct json_value parent;
	struct json_value agent;
	struct json_value sidechain;
};

void claude_agents_init(struct claude_agents *agents);
void claude_agents_free(struct claude_agents *agents);

/* Whose line it is: an index of list. */
uint32_t claude_agents_find(struct claude_agents *agents, const struct claude_origin *origin);

/* Notes the line; returns whether one with its uuid was there before. */
bool claude_agents_repeats(struct claude_agents *agents, const struct claude_origin *origin,
    uint32_t agent);

#endif
