#ifndef CLAUDE_CODE_CLAUDE_UUIDS_H
#define CLAUDE_CODE_CLAUDE_UUIDS_H

/*
 * What is known of the lines of Claude Code by their uuids: one table for all sessions, so that a
 * line costs one place in it.
 *
 *     uuid               -> the first session that has it, and which had it last
 *     uuid and session   -> another session that has it, too
 *
 * A uuid is asked for by its key: a hash that is wide enough to stand for it, and zeros for no
 * uuid, of which nothing is known.
 */

#include "base/hash/hash.h"
#include "json/value.h"

#define CLAUDE_UUIDS_NONE UINT32_MAX /* no session, no agent, no node */

/* A uuid in one session. */
struct claude_uuid {
	struct hash said; /* what the first line with it says; zeros where no line came */
	uint32_t session;
	uint32_t last;  /* the session of the last line, in the first session that has the uuid */
	uint32_t agent; /* of the last line with it, or CLAUDE_UUIDS_NONE */
	uint32_t node;  /* of the tree, that a child of the line follows; or CLAUDE_UUIDS_NONE */
	bool is_joined; /* node is known, if only as none */
};

/* A key that was used, and where it is in the list; zeros: none was. */
struct claude_uuid_used {
	struct hash key;
	uint32_t index;
};

enum { CLAUDE_UUIDS_USED = 2 };

struct claude_uuids {
	struct claude_uuid_used used[CLAUDE_UUIDS_USED]; /* last and before */
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

/* What is known of the uuid in that session, or NULL. It stays where it is until the next one is
 * added. */
struct claude_uuid *claude_uuids_find(
    const struct claude_uuids *uuids, struct hash key, uint32_t session);

/* The same; a uuid that is not known is added; the key is no zeros. */
struct claude_uuid *claude_uuids_add(struct claude_uuids *uuids, struct hash key, uint32_t session);

/* The session that claude_uuids_enter was last called for, or CLAUDE_UUIDS_NONE. */
uint32_t claude_uuids_session(const struct claude_uuids *uuids, struct hash key);

/* Notes that a line of that session has the uuid, whose key is no zeros. */
void claude_uuids_enter(struct claude_uuids *uuids, struct hash key, uint32_t session);

void claude_uuids_free(struct claude_uuids *uuids);

#endif
