#ifndef DIALECTS_CLAUDE_SESSIONS_H
#define DIALECTS_CLAUDE_SESSIONS_H

/*
 * The sessions of a stream of Claude Code's lines, since a compaction takes lines of its own
 * session out of the context and no other's. sessionId names a session; a line without one goes
 * with the line before it in its file. A session that is resumed gets another name: a new name
 * whose first line repeats a line that is known, or follows one, is another name of that line's
 * session.
 */

#include "base/hash.h"
#include "dialects/joiner.h"

struct claude_session {
	struct joiner_session records;
	uint32_t index; /* in the list */
	bool is_named;
	bool awaits_summary; /* a boundary came, its summary did not yet */
};

struct claude_sessions {
	struct claude_session **list;
	uint32_t count;
	uint32_t cap;
	struct map by_name;
	struct map by_uuid;             /* of every line that was seen */
	struct claude_session *current; /* of the last line of its file, or NULL */
	const char *file;
	struct buf scratch;
};

/* What tells whose session a line is of. */
struct claude_place {
	const char *file;
	struct json_value name;
	struct json_value uuid;
	struct json_value parent;
};

/* Whose session the line is of; from now on that is the current one. */
struct claude_session *claude_sessions_find(
    struct claude_sessions *sessions, const struct claude_place *place);

/* The session that a record without any mark stands in, or NULL. */
struct claude_session *claude_sessions_at(const struct claude_sessions *sessions, const char *file);

void claude_sessions_free(struct claude_sessions *sessions);

#endif
