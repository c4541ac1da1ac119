#include "policy/facts/identity.h"

#include "data/message/message.h"
#include "data/tool/tools.h"
#include "policy/compact/align.h"

/* Whether both ids are of one text. */
static bool
is_same_id(struct json_value a, struct json_value b)
{
	struct buf of_a = BUF_INIT, of_b = BUF_INIT;
	bool same = str_eq(call_id_text(a, &of_a), call_id_text(b, &of_b));

	buf_free(&of_a);
	buf_free(&of_b);
	return same;
}

/* Whether arguments that hold an object hold one still, and in the same way. */
static bool
are_still_arguments(struct json_value before, struct json_value after)
{
	struct arena arena = ARENA_INIT;
	struct tool_arguments a, b;

	tool_arguments(before, &arena, &a);
	tool_arguments(after, &arena, &b);
	arena_free(&arena);
	return before.type == after.type &&
	    (a.value.type == JSON_ABSENT || b.value.type != JSON_ABSENT);
}

static bool
has_same_calls(const struct message *a, const struct message *b)
{
	struct call_walk of_a = call_walk_of(a), of_b = call_walk_of(b);
	struct tool_call call, other;
	bool more, others, same = true;

	do {
		more = call_walk_next(&of_a, &call);
		others = call_walk_next(&of_b, &other);
		if (more && others)
			same = is_same_id(call.id, other.id) && is_same_id(call.name, other.name) &&
			    are_still_arguments(call.arguments, other.arguments);
	} while (more && others && same);
	return same && more == others;
}

static bool
is_same_value(struct json_value a, struct json_value b)
{
	struct arena arena = ARENA_INIT;
	struct buf of_a = BUF_INIT, of_b = BUF_INIT;
	bool same;

	align_canon(a, &of_a, &arena);
	align_canon(b, &of_b, &arena);
	same = str_eq(buf_str(&of_a), buf_str(&of_b));
	buf_free(&of_a);
	buf_free(&of_b);
	arena_free(&arena);
	return same;
}

/* Whether the metadata by which compaction judges a message are the same. */
static bool
has_same_metadata(const struct message *a, const struct message *b)
{
	static const enum metadata_name names[] = {METADATA_ORIGIN, METADATA_EXECUTION_ID,
	    METADATA_IS_ERROR, METADATA_RESOLVED, METADATA_RESOLVES, METADATA_PINNED,
	    METADATA_CRITICAL, METADATA_KIND, METADATA_FACTS, METADATA_SECTION, METADATA_AGENT_ID,
	    METADATA_PARENT_EXECUTION_ID, METADATA_ID};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!is_same_value(a->meta[names[i]], b->meta[names[i]]))
			return false;
	return true;
}

bool
identity_is_kept(struct str before, struct str after)
{
	struct message a, b;

	message_reread(&a, before);
	message_reread(&b, after);
	return a.role == b.role && is_same_id(a.tool_call_id, b.tool_call_id) &&
	    has_same_calls(&a, &b) && has_same_metadata(&a, &b);
}
