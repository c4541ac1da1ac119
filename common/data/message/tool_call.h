#ifndef MESSAGE_TOOL_CALL_H
#define MESSAGE_TOOL_CALL_H

/*
 * One call of a tool, in any of the spellings that are read, and the ids by which calls and their
 * results find each other.
 */

#include "base/hash/hash.h"
#include "json/members.h"

struct tool_call {
	struct json_value value; /* the object of the call */
	struct json_value id;
	struct json_value name;
	struct json_value arguments; /* a string of JSON, or the object itself; may be absent */
};

/* Prepares the name table, and has the scan for names note the members of each call in the array of
 * the name list_name. Call once before what is below. */
void call_names_init(struct json_names *names, int list_name);

/* Reads a call from its object, and from the members of that which a scan has noted. */
void call_read(struct tool_call *call, struct json_value value, const struct json_value *member);

/* The text of an id: the text of a string, a number as it is spelled, "" for any other value. Valid
 * as long as the record and the content of scratch. */
struct str call_id_text(struct json_value id, struct buf *scratch);

/* The key of that text in a map of ids. Where a map has the ids of several agents, agent is the
 * number of one; else 0. */
struct hash call_id_key(struct str id, uint32_t agent);

/* The key of the id in a map of one agent's: that of its text, with agent 0. */
struct hash call_id_hash(struct json_value id);

/* A walk over the calls of a message, which call_walk_of of data/message/message.h begins. */
struct call_walk {
	const struct tool_call *noted; /* the next one, of left */
	uint32_t left;
	struct json_walk inner;
};

bool call_walk_next(struct call_walk *walk, struct tool_call *call);

#endif
