#include "face/agents/agent_head.h"

#include <errno.h>

#include "face/input/document.h"
#include "json/members.h"
#include "json/string.h"
#include "stream/file/folder.h"
#include "stream/process/unzstd.h"

enum { HEAD_MAX = 1 << 18 }; /* bytes in which the first record of a file must end */

/* The string in the arena; NULL where it is none, or empty. */
static const char *
keep_string(struct arena *arena, struct json_value string)
{
	struct buf text = BUF_INIT;
	const char *kept = NULL;

	if (string.type == JSON_STRING && string.len > 2)
		kept = arena_copy_padded(arena, json_text(string, &text)).ptr;
	buf_free(&text);
	return kept;
}

static struct json_value
find_in(struct json_value record, const char *const *names)
{
	for (; *names != NULL; names++)
		record = json_find(record, str_from(*names));
	return record;
}

#define FIND(record, ...) find_in(record, (const char *const[]){__VA_ARGS__, NULL})

static void
set_head(struct agent_head *head, struct arena *arena, struct json_value record)
{
	struct json_value parent;

	if (json_is(json_find(record, STR("type")), STR("session_meta"))) {
		head->kind = AGENT_HEAD_CODEX;
		head->id = keep_string(arena, FIND(record, "payload", "id"));
		parent = FIND(record, "payload", "parent_thread_id");
		if (parent.type != JSON_STRING)
			parent = FIND(record, "payload", "source", "subagent", "thread_spawn",
			    "parent_thread_id");
		head->parent = keep_string(arena, parent);
	} else if (json_has(record, STR("projectID"))) {
		head->kind = AGENT_HEAD_OPENCODE;
		head->id = keep_string(arena, json_find(record, STR("id")));
		head->parent = keep_string(arena, json_find(record, STR("parentID")));
	} else if (json_has(record, STR("sessionId"))) {
		head->kind = AGENT_HEAD_CLAUDE_CODE;
		head->parent = keep_string(arena, json_find(record, STR("sessionId")));
	}
}

struct agent_head
agent_head_read(const char *base, const char *name, struct arena *arena, struct fault *fault)
{
	const char *const path[] = {name, NULL};
	struct agent_head head = {.is_read = true};
	struct buf text = BUF_INIT, line = BUF_INIT;

	/* It was there: */
	if (folder_read(base, path, HEAD_MAX, &text, fault) == ENOENT)
		fault_set(fault, STATUS_NO_INPUT, "cannot read '%s/%s'", base, name);
	if (document_unfold(str_first_line(buf_str(&text)), &line) ||
	    document_unfold(buf_str(&text), &line))
		set_head(&head, arena, json_value_at(line.ptr));
	buf_free(&text);
	buf_free(&line);
	return head;
}

struct agent_head
agent_head_read_lines(const char *path, struct arena *arena, struct fault *fault)
{
	char *const operand[] = {(char *)arena_copy_padded(arena, str_from(path)).ptr};
	struct agent_head head = {.is_read = true};
	struct buf text = BUF_INIT;
	struct input in;
	struct line line;
	bool has_line = false;

	input_init(&in, operand, 1, fault);
	in.unpacker = &unzstd;
	in.line_max = HEAD_MAX;
	while (!has_line && !fault_is_set(fault) && input_fill(&in))
		has_line = input_next(&in, &line);
	if (has_line && !line.more && document_unfold(line.text, &text))
		set_head(&head, arena, json_value_at(text.ptr));
	input_free(&in);
	buf_free(&text);
	return head;
}
