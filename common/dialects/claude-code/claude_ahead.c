#include "dialects/claude-code/claude_ahead.h"

#include "base/byte.h"
#include "base/hash/map.h"
#include "stream/file/file_look.h"

struct ahead {
	struct map followed; /* the lines that texts of the user follow -> 1 */
	bool is_named;       /* the first message names its session */
};

static bool
has(struct str line, struct str word)
{
	return str_find(line, word) != NULL;
}

/* The bytes of the line from the value of the first parentUuid on; empty when there is none. */
static struct str
find_parent(struct str line)
{
	static const struct str name = STR_INIT("\"parentUuid\"");
	const char *at = str_find(line, name);

	if (at == NULL)
		return STR("");
	line = str_rest(line, (size_t)(at - line.ptr) + name.len);
	while (line.len > 0 && (byte_is_blank(*line.ptr) || *line.ptr == ':'))
		line = str_rest(line, 1);
	return line;
}

/* Whether the line may be a text of the main agent's user. One with a result is none, or has been
 * parted from it. */
static bool
may_be_text(struct str line)
{
	return !(has(line, STR("\"tool_result\"")) && has(line, STR("\"tool_use_id\""))) &&
	    !has(line, STR("\"isSidechain\":true"));
}

/* Notes the parent of the line, a text. Returns whether another text has the same parent. */
static bool
note_text(struct ahead *ahead, struct str line)
{
	struct str parent = find_parent(line);
	const char *end;

	if (parent.len == 0)
		return false;
	if (*parent.ptr != '"' && has(line, STR("\"logicalParentUuid\"")))
		return true;
	end = memchr(parent.ptr + 1, '"', parent.len - 1);
	parent.len = *parent.ptr == '"' && end != NULL ? (size_t)(end - parent.ptr) : 1;
	return map_set(&ahead->followed, hash_bytes(parent, hash_seed(HASH_MESSAGE_ID)), 1) !=
	    MAP_NONE;
}

/* The line in which the place is; lines are whole. */
static struct str
line_at(struct str lines, const char *place)
{
	const char *before = memrchr(lines.ptr, '\n', (size_t)(place - lines.ptr));
	const char *start = before != NULL ? before + 1 : lines.ptr;

	return str_first_line(str_rest(lines, (size_t)(start - lines.ptr)));
}

/* What leaves has the name of its session, which a later line may be the first to say. */
static bool
is_unnamed(struct ahead *ahead, struct str lines)
{
	const char *first = ahead->is_named ? NULL : str_find(lines, STR("\"role\""));

	ahead->is_named |= first != NULL;
	return first != NULL && !has(line_at(lines, first), STR("\"sessionId\""));
}

/* Whether a compaction may be in the lines. What both of its marks have is looked for first. */
static bool
has_compaction(struct str lines)
{
	return has(lines, STR("ompact")) &&
	    (has(lines, STR("compact_boundary")) || has(lines, STR("isCompactSummary")));
}

static bool
look(void *self, struct str lines)
{
	struct ahead *ahead = self;
	const char *at;

	if (has_compaction(lines) || has(lines, STR("\"explicit\"")) || is_unnamed(ahead, lines))
		return true;
	while ((at = str_find(lines, STR("\"user\""))) != NULL) {
		struct str line = line_at(lines, at);

		if (may_be_text(line) && note_text(ahead, line))
			return true;
		lines = str_rest(lines, (size_t)(line.ptr + line.len - lines.ptr));
	}
	return false;
}

bool
claude_ahead_may_take_back(const char *path, struct fault *fault)
{
	struct ahead ahead = {.followed = MAP_INIT};
	bool may = file_look(path, look, &ahead, fault);

	map_free(&ahead.followed);
	return may;
}
