#include "data/select/term_pattern.h"

#include <fnmatch.h>

#include "data/message/part.h"
#include "data/message/texts.h"
#include "data/session/session_calls.h"
#include "json/leaves.h"
#include "json/string.h"

/* Whether the pattern matches the whole name. A NUL in the name matches no byte of a pattern. */
static bool
matches_glob(const char *pattern, struct str name, struct buf *scratch)
{
	buf_set(scratch, name);
	for (size_t i = 0; i < scratch->len; i++)
		if (scratch->ptr[i] == '\0')
			scratch->ptr[i] = '\1';
	buf_add_char(scratch, '\0');
	return fnmatch(pattern, scratch->ptr, 0) == 0;
}

/* Whether a message without a call beside it names such a tool in its metadata. */
static bool
names_tool(const struct entry *entry, const char *glob, struct buf *scratch)
{
	struct buf text = BUF_INIT;
	struct json_value name;
	struct message message;
	bool matches;

	if (!entry->has_metadata)
		return false;
	entry_parse(entry, &message);
	name = message.meta[METADATA_TOOL_NAME];
	matches = name.type == JSON_STRING && matches_glob(glob, json_text(name, &text), scratch);
	buf_free(&text);
	return matches;
}

/* A question about calls: the test of one call, and the pattern. */
struct question {
	bool (*holds)(const struct question *question, struct session *session, uint32_t call);
	const char *glob;
	struct expression *expression;
};

/* Whether a question about calls holds for a call of the message, or for the call that the message
 * answers. */
static bool
any_call(struct session *t, const struct entry *entry, struct question question)
{
	const struct group *group;
	uint32_t first, count;

	if (entry->group == NONE)
		return false;
	group = &t->group[entry->group];
	first = entry->call != NONE ? entry->call : group->first_call;
	count = entry->call != NONE ? 1 : group->calls;
	for (uint32_t i = first; i < first + count; i++)
		if (question.holds(&question, t, i))
			return true;
	return false;
}

static bool
is_of_tool(const struct question *question, struct session *t, uint32_t call)
{
	return matches_glob(question->glob, t->call[call].name, &t->scratch);
}

bool
term_pattern_is_tool(struct session *t, const struct entry *entry, const char *glob)
{
	if (entry->group == NONE)
		return names_tool(entry, glob, &t->scratch);
	return any_call(t, entry, (struct question){.holds = is_of_tool, .glob = glob});
}

static bool
has_target(const struct question *question, struct session *t, uint32_t call)
{
	struct str target = session_use(t, call)->use.target;

	return target.len > 0 && matches_glob(question->glob, target, &t->scratch);
}

bool
term_pattern_is_target(struct session *t, const struct entry *entry, const char *glob)
{
	return any_call(t, entry, (struct question){.holds = has_target, .glob = glob});
}

/* A look for a path among the files of a call. */
struct path_search {
	const char *pattern;
	struct buf *scratch;
	bool is_found;
};

static void
try_path(void *context, enum tool_op kind, struct str path)
{
	struct path_search *search = context;

	(void)kind;
	search->is_found = search->is_found || matches_glob(search->pattern, path, search->scratch);
}

static bool
touches_path(const struct question *question, struct session *t, uint32_t call)
{
	struct path_search search = {.pattern = question->glob, .scratch = &t->scratch};
	const struct tool_use *use = &session_use(t, call)->use;
	struct arena arena = ARENA_INIT;

	tool_files(use->op, use->target, &arena, try_path, &search);
	arena_free(&arena);
	return search.is_found;
}

bool
term_pattern_is_path(struct session *t, const struct entry *entry, const char *glob)
{
	return any_call(t, entry, (struct question){.holds = touches_path, .glob = glob});
}

/* A regular expression sees the text up to its first NUL. */
static bool
text_matches(struct expression *expression, struct json_value text)
{
	struct buf buf = BUF_INIT;
	const char *start, *end;
	struct str seen;
	bool found;

	if (text.type <= JSON_NULL)
		return false;
	seen = text.type == JSON_STRING ? json_text(text, &buf) : json_span(text);
	seen.len = strnlen(seen.ptr, seen.len);
	found = expression_find(expression, seen, 0, &start, &end);
	buf_free(&buf);
	return found;
}

bool
term_pattern_in_text(const struct message *message, struct expression *expression)
{
	struct json_value content = message->content;

	if (text_matches(expression, message_other_text(message)))
		return true;
	if (content.type != JSON_ARRAY)
		return text_matches(expression, content);
	for (struct json_walk parts = json_walk_of(content); json_walk_next(&parts);) {
		struct part part;
		struct part_text text;
		unsigned at = 0;

		part_read(parts.value, &part);
		while (part_next_text(&part, PART_MATCHED, &at, &text))
			if (text_matches(expression, text.value))
				return true;
	}
	return false;
}

/* Arguments that are no object are one text. */
static bool
has_argument(const struct question *question, struct session *t, uint32_t call)
{
	struct arena arena = ARENA_INIT;
	struct tool_arguments arguments;
	struct json_leaves leaves;
	enum json_leaf leaf;
	bool found = false;

	tool_arguments(t->call[call].arguments, &arena, &arguments);
	if (arguments.value.type == JSON_ABSENT) {
		found = text_matches(question->expression, arguments.given);
	} else {
		json_leaves_open(&leaves, json_span(arguments.value));
		while (!found && (leaf = json_leaves_next(&leaves)) != JSON_LEAF_END)
			found = leaf != JSON_LEAF_NAME &&
			    text_matches(question->expression, leaves.value);
	}
	arena_free(&arena);
	return found;
}

bool
term_pattern_in_arguments(
    struct session *t, const struct entry *entry, struct expression *expression)
{
	return any_call(
	    t, entry, (struct question){.holds = has_argument, .expression = expression});
}
