#include "face/input/agent_files.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/list.h"
#include "face/input/document.h"
#include "json/members.h"
#include "json/string.h"

enum {
	HEAD_MAX = 1 << 18, /* bytes in which the first record of a file must end */
	FOLDERS_MAX = 8,    /* of subagents, one in another */
};

enum head_kind { HEAD_OTHER, HEAD_CLAUDE_CODE, HEAD_CODEX, HEAD_OPENCODE };

/* What the first record of a file says. */
struct agent_head {
	bool is_read;
	enum head_kind kind;
	const char *id;     /* of the session, or NULL */
	const char *parent; /* the id of the session that it is a sub-agent's of, or NULL */
};

static char *
keep(struct agent_files *files, struct str text)
{
	return (char *)arena_copy_padded(&files->arena, text).ptr;
}

/* The string in memory of the files; NULL where it is none, or empty. */
static const char *
keep_string(struct agent_files *files, struct json_value string)
{
	struct buf text = BUF_INIT;
	const char *kept = NULL;

	if (string.type == JSON_STRING && string.len > 2)
		kept = keep(files, json_text(string, &text));
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
set_head(struct agent_files *files, struct agent_head *head, struct json_value record)
{
	struct json_value parent;

	if (json_is(json_find(record, STR("type")), STR("session_meta"))) {
		head->kind = HEAD_CODEX;
		head->id = keep_string(files, FIND(record, "payload", "id"));
		parent = FIND(record, "payload", "parent_thread_id");
		if (parent.type != JSON_STRING)
			parent = FIND(record, "payload", "source", "subagent", "thread_spawn",
			    "parent_thread_id");
		head->parent = keep_string(files, parent);
	} else if (json_has(record, STR("projectID"))) {
		head->kind = HEAD_OPENCODE;
		head->id = keep_string(files, json_find(record, STR("id")));
		head->parent = keep_string(files, json_find(record, STR("parentID")));
	} else if (json_has(record, STR("sessionId"))) {
		head->kind = HEAD_CLAUDE_CODE;
		head->parent = keep_string(files, json_find(record, STR("sessionId")));
	}
}

/* Reads the head of the entry: its first line, or the whole file where that is one value. */
static const struct agent_head *
read_head(struct agent_files *files, unsigned entry)
{
	const char *const path[] = {files->folder.entry[entry].name, NULL};
	struct agent_head *head = &files->head[entry];
	struct buf text = BUF_INIT, line = BUF_INIT;

	if (!head->is_read && !files->folder.entry[entry].is_folder) {
		if (folder_read(files->base, path, HEAD_MAX, &text, files->fault) == ENOENT)
			fault_set(files->fault, STATUS_NO_INPUT, "cannot read '%s/%s'", files->base,
			    path[0]); /* it was there */
		if (document_unfold(str_first_line(buf_str(&text)), &line) ||
		    document_unfold(buf_str(&text), &line))
			set_head(files, head, json_value_at(line.ptr));
	}
	head->is_read = true;
	buf_free(&text);
	buf_free(&line);
	return head;
}

static void
open_folder(struct agent_files *files, const char *base)
{
	if (files->base != NULL && strcmp(files->base, base) == 0)
		return;
	folder_free(&files->folder);
	free(files->head);
	files->base = base;
	folder_open(&files->folder, base, (const char *const[]){NULL}, files->fault);
	files->head = mem_alloc(files->folder.count + 1u, sizeof *files->head);
	memset(files->head, 0, (files->folder.count + 1u) * sizeof *files->head);
}

/* Notes the file of the operand with that number. Returns the number of the operand that is the
 * same file, MAP_NONE where it is new, or one that is none where it is not there. */
static uint64_t
note(struct agent_files *files, const char *path, unsigned number)
{
	struct stat st;
	struct hash key;
	uint64_t known;

	if (stat(path, &st) != 0)
		return UINT32_MAX;
	key = hash_number(
	    (uint64_t)st.st_ino, hash_number((uint64_t)st.st_dev, hash_seed(HASH_LABEL)));
	known = map_get(&files->known, key);
	if (known == MAP_NONE)
		map_set(&files->known, key, number);
	return known;
}

static void
add(struct agent_files *files, char *path, struct agent_file file)
{
	LIST_ROOM(files->file, files->count, files->file_cap);
	LIST_ROOM(files->operand, files->count, files->cap);
	files->file[files->count] = file;
	files->operand[files->count++] = path;
}

/* Adds the file of a sub-agent of the file with that number, unless it is there. An operand gets
 * its caller. */
static void
add_agent(struct agent_files *files, unsigned of, struct str path, const char *caller)
{
	struct agent_file file = files->file[of];
	char *kept = keep(files, path);
	uint64_t known = note(files, kept, UINT32_MAX);

	file.is_agent = true;
	file.caller = caller;
	if (known == MAP_NONE)
		add(files, kept, file);
	else if (known < files->operands)
		files->caller[known] = caller;
}

static bool
is_agent_name(const char *name)
{
	return str_has_prefix(str_from(name), STR("agent-")) &&
	    str_has_suffix(str_from(name), STR(".jsonl"));
}

/* Begins the path of a file below the directory, as the operand names that. */
static void
begin_path(const struct agent_files *files, unsigned of, struct buf *path)
{
	const char *operand = files->operand[of];

	buf_reset(path);
	buf_add(path, operand, (size_t)(file_name(operand) - operand));
}

/* Adds the files of the folder, the last name of the path, and of the folders in it. */
static void
add_below(struct agent_files *files, unsigned of, const char **path, unsigned depth)
{
	struct folder folder;
	struct buf text = BUF_INIT;

	folder_open(&folder, files->file[of].folder, path, files->fault);
	for (unsigned i = 0; i < folder.count; i++) {
		const char *name = folder.entry[i].name;

		if (folder.entry[i].is_folder && depth < FOLDERS_MAX) {
			path[depth] = name;
			add_below(files, of, path, depth + 1);
			path[depth] = NULL;
		}
		if (folder.entry[i].is_folder || !is_agent_name(name))
			continue;
		begin_path(files, of, &text);
		for (unsigned p = 0; p < depth; p++)
			buf_add_fmt(&text, "%s/", path[p]);
		buf_add_fmt(&text, "%s", name);
		add_agent(files, of, buf_str(&text), NULL);
	}
	buf_free(&text);
	folder_free(&folder);
}

/* Adds the sub-agents' files that lie in the directory of the file. */
static void
add_beside(struct agent_files *files, unsigned of)
{
	struct agent_file file = files->file[of];
	const char *name = file_name(files->operand[of]);
	struct agent_head own = {.kind = HEAD_CLAUDE_CODE, .id = file.name};
	struct buf path = BUF_INIT;

	if (file.is_agent && file.caller == NULL)
		return; /* Claude Code has all of a session in one place */
	open_folder(files, file.folder);
	for (unsigned i = 0; i < files->folder.count; i++)
		if (strcmp(files->folder.entry[i].name, name) == 0 &&
		    read_head(files, i)->kind > HEAD_CLAUDE_CODE)
			own = *read_head(files, i);
	for (unsigned i = 0; i < files->folder.count && own.id != NULL; i++) {
		const char *other = files->folder.entry[i].name;
		struct str ends = own.kind == HEAD_OPENCODE ? STR(".json") : STR(".jsonl");
		const struct agent_head *head;

		if (strcmp(other, name) == 0 || !str_has_suffix(str_from(other), ends) ||
		    (own.kind == HEAD_CLAUDE_CODE && !is_agent_name(other)))
			continue;
		head = read_head(files, i);
		if (head->kind != own.kind || head->parent == NULL ||
		    strcmp(head->parent, own.id) != 0)
			continue;
		begin_path(files, of, &path);
		buf_add_fmt(&path, "%s", other);
		add_agent(files, of, buf_str(&path), own.kind != HEAD_CLAUDE_CODE ? own.id : NULL);
	}
	buf_free(&path);
}

static void
add_operand(struct agent_files *files, char *operand, unsigned number)
{
	struct str name = str_from(file_name(operand));
	const char *last, *path[FOLDERS_MAX + 1] = {NULL, "subagents"};
	struct agent_file file = {.session = number};
	unsigned at = files->count;

	file.folder = file_split(keep(files, str_from(operand)), &last);
	if (str_has_suffix(name, STR(".zst")))
		name.len -= STR(".zst").len;
	if (str_has_suffix(name, STR(".jsonl")))
		name.len -= STR(".jsonl").len;
	file.name = path[0] = keep(files, name);
	add(files, operand, file);
	add_below(files, at, path, 2);
	for (; at < files->count; at++)
		add_beside(files, at);
}

void
agent_files_find(
    struct agent_files *files, char *const *operand, unsigned count, struct fault *fault)
{
	*files = (struct agent_files){
	    .arena = ARENA_INIT, .known = MAP_INIT, .fault = fault, .operands = count};
	files->caller = arena_zalloc(&files->arena, count + 1u, sizeof *files->caller);
	for (unsigned i = 0; i < count; i++)
		note(files, operand[i], i);
	for (unsigned i = 0; i < count; i++)
		add_operand(files, operand[i], i);
	for (unsigned i = 0; i < files->count; i++)
		if (!files->file[i].is_agent)
			files->file[i].caller = files->caller[files->file[i].session];
}

void
agent_files_free(struct agent_files *files)
{
	folder_free(&files->folder);
	free(files->head);
	free(files->operand);
	free(files->file);
	map_free(&files->known);
	arena_free(&files->arena);
}
