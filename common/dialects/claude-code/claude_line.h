#ifndef CLAUDE_CODE_CLAUDE_LINE_H
#define CLAUDE_CODE_CLAUDE_LINE_H

/*
 * A line of a session file of Claude Code: an envelope around one content block, or a note of the
 * agent. The struct has the members of the line, and values derived from them.
 */

#include "data/message/message.h"
#include "dialects/claude-code/claude_uuids.h"
#include "stream/input.h"

struct census;
struct claude_session;
struct claude_thread;

/* One row for each member: its name in struct claude_line, and its name in the line (first table)
 * or in the line's object message (second table). */
/* clang-format off */
#define CLAUDE_LINE_TABLE(row) \
	row(type, "type") \
	row(subtype, "subtype") \
	row(uuid, "uuid") \
	row(parent, "parentUuid") \
	row(logical_parent, "logicalParentUuid") \
	row(name, "sessionId") \
	row(timestamp, "timestamp") \
	row(sidechain, "isSidechain") \
	row(agent_id, "agentId") \
	row(is_meta, "isMeta") \
	row(is_summary, "isCompactSummary") \
	row(is_api_error, "isApiErrorMessage") \
	row(compaction, "compactMetadata") \
	row(attachment, "attachment") \
	row(message, "message") \
	row(result, "toolUseResult")
#define CLAUDE_MESSAGE_TABLE(row) \
	row(role, "role") \
	row(content, "content") \
	row(id, "id") \
	row(model, "model") \
	row(usage, "usage") \
	row(stop, "stop_reason")
/* clang-format on */

struct claude_line {
	const struct line *from;
#define CLAUDE_LINE_MEMBER(name, path) struct json_value name;
	CLAUDE_LINE_TABLE(CLAUDE_LINE_MEMBER)
	CLAUDE_MESSAGE_TABLE(CLAUDE_LINE_MEMBER)
#undef CLAUDE_LINE_MEMBER
	/* It is of a request that the client sent, whose messages other lines have: its message
	 * counts as absent. */
	bool is_request;
	struct json_value called;     /* agentId of result */
	struct json_value follows;    /* the uuid of the line before: a string, null or absent */
	struct hash key, follows_key; /* of uuid and follows: claude_uuids_key */
	struct hash all;              /* of uuid, role and said; zeros without a uuid */
	struct json_value said;       /* the content; of a line without a role, its attachment */
	/* Of the reader: */
	uint32_t agent;
	struct claude_session *session;
	struct claude_thread *thread;
	/* Of a line of the user's role: the number of messages that it makes, the last of which
	 * gets the id of the line, and how many were made so far. */
	unsigned pieces, piece;
};

/* Sets the members from the record of the line; those of the reader become zero. scratch is
 * overwritten. Prefetches the place of the line's uuids in uuids. */
void claude_line_open(struct claude_line *line, const struct line *from,
    const struct message *record, const struct claude_uuids *uuids, struct buf *scratch);

/* Counts, for the census, the members of a line with a message, and of its message, that are not in
 * the tables. */
void claude_line_count(
    const struct claude_line *line, struct json_value record, struct census *census);

/* Whether lines of this type are known not to be part of the conversation. */
bool claude_line_is_silent(const struct claude_line *line);

#endif
