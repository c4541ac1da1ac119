#ifndef AGENTS_AGENT_CALLS_H
#define AGENTS_AGENT_CALLS_H

/*
 * The sub-agents that records of sessions say were called, named as their files are, and the
 * sub-agents that have messages themselves:
 *
 *     Claude Code    called: toolUseResult.agentId; speaks: agentId
 *     Codex CLI      called: agent_id in the output of spawn_agent, or the events that name a new
 *                    thread; speaks: the id of a session_meta
 *     opencode       called: state.metadata.sessionId of a part of the tool task; speaks: info.id
 */

#include "base/hash/map.h"
#include "stream/input.h"
#include "json/value.h"

/* A sub-agent that a record called; its id lies in ids. */
struct agent_call {
	const char *file;
	size_t line, at, len;
};

/* Zeros have no calls. */
struct agent_calls {
	struct buf list; /* struct agent_call each, in the order of the records */
	struct buf ids;
	struct map spoken; /* ids of sub-agents that speak, or were found -> 1 */
	struct map spawns; /* ids of calls of spawn_agent -> 1 */
	struct buf scratch, output;
};

/* Whether a line of Codex CLI may say something here; others need not be parsed. */
bool agent_calls_may_note(struct str line);

/* Notes the calls of the record, an object on that line. */
void agent_calls_note(struct agent_calls *calls, const struct line *line, struct json_value record);

/* How many calls there are, and the id of the one with that number. */
size_t agent_calls_count(const struct agent_calls *calls);
struct str agent_calls_id(const struct agent_calls *calls, size_t number);

/* The key of an id in maps. */
struct hash agent_calls_key(struct str id);

/* Prints, once each, the sub-agents that were called but neither speak nor are in found, a map by
 * agent_calls_key. */
void agent_calls_say(struct agent_calls *calls, const struct map *found);

void agent_calls_free(struct agent_calls *calls);

#endif
