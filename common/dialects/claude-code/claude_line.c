#include "dialects/claude-code/claude_line.h"

#include "dialects/rows/member_path.h"
#include "json/canon.h"
#include "json/string.h"

enum {
#define INDEX(name, path) INDEX_##name,
	CLAUDE_LINE_TABLE(INDEX) INDEX_COUNT
};

/* The paths, compiled once. */
static struct {
	bool is_compiled;
	struct member_tree tree;
	struct member_path at[INDEX_COUNT];
} compiled = {.tree = MEMBER_TREE_INIT};

static void
compile_paths(void)
{
	static const char *const paths[INDEX_COUNT] = {
#define PATH(name, path) path,
	    CLAUDE_LINE_TABLE(PATH)};

	for (unsigned i = 0; !compiled.is_compiled && i < INDEX_COUNT; i++)
		member_path_compile(&compiled.at[i], &compiled.tree, NULL, str_from(paths[i]));
	compiled.is_compiled = true;
}

/* The hash of all that the line says. */
static struct hash
hash_all(const struct claude_line *line, struct buf *scratch)
{
	struct hash hash = line->key;

	if (claude_uuids_is_none(hash))
		return hash;
	if (line->role.type == JSON_STRING)
		hash = json_hash(line->role, hash);
	if (line->said.type == JSON_ABSENT)
		return hash_bytes(STR(""), hash);
	return json_squeezed_hash(line->said, line->spans, hash, scratch);
}

void
claude_line_open(struct claude_line *line, const struct line *from, const struct message *record,
    const struct claude_uuids *uuids, struct buf *scratch)
{
	struct member_view view;

	compile_paths();
	member_view_open(&view, &compiled.tree, NULL, record->value, record->value);
	view.spans = record->spans;
	*line = (struct claude_line){
#define FOUND(name, path) .name = member_find_null(&view, &compiled.at[INDEX_##name]),
	    CLAUDE_LINE_TABLE(FOUND).from = from, .spans = record->spans};
	line->follows = line->parent;
	if (line->parent.type != JSON_STRING && line->logical_parent.type == JSON_STRING)
		line->follows = line->logical_parent;
	line->key = claude_uuids_key(line->uuid);
	map_prefetch(&uuids->by_key, line->key);
	line->follows_key = claude_uuids_key(line->follows);
	line->said = line->role.type == JSON_STRING ? line->content : line->attachment;
	line->all = hash_all(line, scratch);
}

bool
claude_line_is_silent(const struct claude_line *line)
{
	static const struct str types[] = {STR_INIT("summary"), STR_INIT("file-history-snapshot"),
	    STR_INIT("queue-operation"), STR_INIT("progress"), STR_INIT("attachment"),
	    STR_INIT("permission-mode"), STR_INIT("last-prompt"), STR_INIT("mode"),
	    STR_INIT("ai-title"), STR_INIT("custom-title"), STR_INIT("agent-name"),
	    STR_INIT("system"), STR_INIT("tag"), STR_INIT("agent-color"), STR_INIT("agent-setting"),
	    STR_INIT("pr-link"), STR_INIT("task-summary"), STR_INIT("attribution-snapshot"),
	    STR_INIT("content-replacement"), STR_INIT("speculation-accept"),
	    STR_INIT("worktree-state"), STR_INIT("marble-origami-commit"),
	    STR_INIT("marble-origami-snapshot")};

	return json_is_one_of(line->type, types, sizeof types / sizeof types[0]);
}
