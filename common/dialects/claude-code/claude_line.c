#include "dialects/claude-code/claude_line.h"

#include "dialects/census/census.h"
#include "dialects/dialect.h"
#include "json/canon.h"
#include "json/members.h"
#include "json/scan.h"
#include "json/string.h"

#define INDEX(name, text) INDEX_##name,
#define TEXT(name, text) STR_INIT(text),
#define TAKE(name, text) line->name = member[INDEX_##name];

enum line_member { CLAUDE_LINE_TABLE(INDEX) LINE_COUNT };
enum message_member { CLAUDE_MESSAGE_TABLE(INDEX) MESSAGE_COUNT };

static const struct json_names *
line_names(void)
{
	static const struct str list[LINE_COUNT] = {CLAUDE_LINE_TABLE(TEXT)};
	static struct json_names names;

	if (names.count == 0)
		JSON_NAMES_INIT(&names, list, LINE_COUNT);
	return &names;
}

static const struct json_names *
message_names(void)
{
	static const struct str list[MESSAGE_COUNT] = {CLAUDE_MESSAGE_TABLE(TEXT)};
	static struct json_names names;

	if (names.count == 0)
		JSON_NAMES_INIT(&names, list, MESSAGE_COUNT);
	return &names;
}

static void
pick_line(struct claude_line *line, struct json_value record)
{
	struct json_value member[LINE_COUNT];

	json_pick(record, line_names(), member);
	CLAUDE_LINE_TABLE(TAKE)
}

static void
pick_message(struct claude_line *line)
{
	struct json_value member[MESSAGE_COUNT];

	json_pick(line->message, message_names(), member);
	CLAUDE_MESSAGE_TABLE(TAKE)
}

static void
count_members(const struct claude_line *line, struct json_value object,
    const struct json_names *names, struct str path, struct census *census)
{
	for (struct json_walk walk = json_walk_of(object); json_walk_next(&walk);)
		if (json_name_index(names, walk.name) < 0)
			census_add_member(
			    census, &claude_code_dialect, line->from, path, walk.name);
}

void
claude_line_count(const struct claude_line *line, struct json_value record, struct census *census)
{
	census_see(census, &claude_code_dialect, line->from, record);
	if (line->message.type != JSON_OBJECT)
		return;
	census_open(census, record, true);
	count_members(line, record, line_names(), STR(""), census);
	count_members(line, line->message, message_names(), STR("message."), census);
}

/* The hash of all that the line says. */
static struct hash
hash_all(const struct claude_line *line, const struct json_spans *spans, struct buf *scratch)
{
	struct hash hash = line->key;

	if (claude_uuids_is_none(hash))
		return hash;
	if (line->role.type == JSON_STRING)
		hash = json_hash(line->role, hash);
	if (line->said.type == JSON_ABSENT)
		return hash_bytes(STR(""), hash);
	return json_squeezed_hash(line->said, spans, hash, scratch);
}

void
claude_line_open(struct claude_line *line, const struct line *from, const struct message *record,
    const struct claude_uuids *uuids, struct buf *scratch)
{
	*line = (struct claude_line){.from = from};
	pick_line(line, record->value);
	line->is_request = line->type.type == JSON_STRING &&
	    str_has_prefix(json_inner(line->type), STR("api-request"));
	if (!line->is_request)
		pick_message(line);
	line->called = json_find(line->result, STR("agentId"));
	line->follows = line->parent;
	if (line->parent.type != JSON_STRING && line->logical_parent.type == JSON_STRING)
		line->follows = line->logical_parent;
	line->key = claude_uuids_key(line->uuid);
	map_prefetch(&uuids->by_key, line->key);
	line->follows_key = claude_uuids_key(line->follows);
	line->said = line->role.type == JSON_STRING ? line->content : line->attachment;
	line->all = hash_all(line, record->spans, scratch);
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
	    STR_INIT("marble-origami-snapshot"), STR_INIT("file-history-delta"),
	    STR_INIT("cost-state"), STR_INIT("tools-used"), STR_INIT("atis-latch"),
	    STR_INIT("isolation-latch"), STR_INIT("bridge-session"), STR_INIT("session-owner"),
	    STR_INIT("memory-mode"), STR_INIT("dev-mods"), STR_INIT("relocated"),
	    STR_INIT("derived-from"), STR_INIT("continued-in"), STR_INIT("ended-by-model"),
	    STR_INIT("data-flow-records"), STR_INIT("data-flow-incomplete"),
	    STR_INIT("fork-context-ref"), STR_INIT("frame-link"), STR_INIT("observer-ref"),
	    STR_INIT("resume-head-vouch"), STR_INIT("history-suppression"),
	    STR_INIT("artifact-comment-monitor"), STR_INIT("artifact-autoreact-ledger")};

	return line->is_request || JSON_IS_ONE_OF(line->type, types);
}
