#ifndef CLAUDE_CODE_CLAUDE_UUIDS_H
#define CLAUDE_CODE_CLAUDE_UUIDS_H

/*
 * A table of the lines of Claude Code by uuid. It is one table for all sessions, so that a line
 * takes one place in it.
 *
 *     uuid -> the first session with the uuid, and the last one
 *     uuid and session -> another session with the same uuid
 *
 * A uuid is looked up by its key, a hash wide enough to identify it. The key of no uuid is all
 * zeros, and is never in the table.
 */

#include "base/hash/map.h"
#include "json/value.h"

#define CLAUDE_UUIDS_NONE UINT32_MAX /* no session, no agent, no node */

/* A uuid in one session. */
struct claude_uuid {
	struct hash said; /* the content of the first line with the uuid; zeros: no line came */
	uint32_t session;
	uint32_t last;  /* the session of the last line, in the first session that has the uuid */
	uint32_t agent; /* of the last line with it, or CLAUDE_UUIDS_NONE */
	/* the node of the tree that a child of the line follows; or CLAUDE_UUIDS_NONE */
	uint32_t node;
	bool is_joined; /* node was set, maybe to CLAUDE_UUIDS_NONE */
};

/* A key that was looked up, and its index in the list. A zero key: none. */
struct claude_uuid_used {
	struct hash key;
	uint32_t index;
};

enum { CLAUDE_UUIDS_USED = 2 };

struct claude_uuids {
	struct claude_uuid_used used[CLAUDE_UUIDS_USED]; /* the last key, and the one before */
	struct map by_key;                               /* -> index in list */
	struct claude_uuid *list;
	uint32_t count, cap;
};

/* The key of a uuid; of a value that is no string, zeros. */
struct hash claude_uuids_key(struct json_value uuid);

static inline bool
claude_uuids_is_none(struct hash key)
{
	return (key.a | key.b) == 0;
}

/* The record of the uuid in that session, or NULL. The pointer is valid until the next uuid is
 * added. */
struct claude_uuid *claude_uuids_find(
    const struct claude_uuids *uuids, struct hash key, uint32_t session);

/* The same; an unknown uuid is added. The key must not be zero. */
struct claude_uuid *claude_uuids_add(struct claude_uuids *uuids, struct hash key, uint32_t session);

/* The session that claude_uuids_enter was last called for, or CLAUDE_UUIDS_NONE. */
uint32_t claude_uuids_session(const struct claude_uuids *uuids, struct hash key);

/* Notes that a line of that session has the uuid. The key must not be zero. */
void claude_uuids_enter(struct claude_uuids *uuids, struct hash key, uint32_t session);

void claude_uuids_free(struct claude_uuids *uuids);

#endif
