#ifndef MESSAGE_TOOL_CALL_H
#define MESSAGE_TOOL_CALL_H

/*
 * One call of a tool, in any of the spellings that are read, and the ids that connect calls with
 * their results.
 */

#include "base/hash/hash.h"
#include "json/members.h"

struct tool_call {
	struct json_value value; /* the object of the call */
	struct json_value id;
	struct json_value name;
	struct json_value arguments; /* a string of JSON, or the object itself; may be absent */
};

/* Prepares the name table, and sets names so that a scan notes the members of each call in the
 * array with index list_name. Call this once before any function below. */
void call_names_init(struct json_names *names, int list_name);

/* Reads a call from its object value. member has the members of the object that a scan has
 * noted. */
void call_read(struct tool_call *call, struct json_value value, const struct json_value *member);

/* The text of an id: the text of a string, a number as it is spelled, "" for any other value. Valid
 * as long as the record and the content of scratch. */
struct str call_id_text(struct json_value id, struct buf *scratch);

/* The key of that text in a map of ids. agent is the number of the agent in a map with the ids of
 * several agents; otherwise 0. */
struct hash call_id_key(struct str id, uint32_t agent);

/* The key of the text of an id, with agent 0. */
struct hash call_id_hash(struct json_value id);

/* A walk over the calls of a message, which call_walk_of of data/message/message.h begins. */
struct call_walk {
	const struct tool_call *noted; /* the next noted call */
	uint32_t left;                 /* the number of noted calls that are left */
	struct json_walk inner;
};

bool call_walk_next(struct call_walk *walk, struct tool_call *call);

#endif
