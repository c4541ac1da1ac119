#include "face/agents/agent_files.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/list.h"
#include "face/agents/agent_calls.h"
#include "face/agents/agent_head.h"
#include "face/input/document.h"
#include "json/members.h"
#include "stream/process/unzstd.h"

enum { FOLDERS_MAX = 8 }; /* of subagents, one in another */

static char *
keep(struct agent_files *files, struct str text)
{
	return (char *)arena_copy_padded(&files->arena, text).ptr;
}

/* Notes that the file of a session of Codex CLI is there. */
static struct agent_head
note_found(struct agent_files *files, struct agent_head head)
{
	if (head.kind == AGENT_HEAD_CODEX && head.id != NULL)
		map_set(&files->found, agent_calls_key(str_from(head.id)), 1);
	return head;
}

/* The head of the entry, which is read once. */
static const struct agent_head *
read_head(struct agent_files *files, unsigned entry)
{
	struct agent_head *head = &files->head[entry];

	if (!head->is_read && !files->folder.entry[entry].is_folder)
		*head = note_found(files,
		    agent_head_read(
			files->base, files->folder.entry[entry].name, &files->arena, files->fault));
	head->is_read = true;
	return head;
}

/* Whether the file is of the kind, and a sub-agent's of the session with that id. */
static bool
is_called_by(const struct agent_head *head, enum agent_head_kind kind, const char *id)
{
	return head->kind == kind && head->parent != NULL && strcmp(head->parent, id) == 0;
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
	const char *name;

	file.is_agent = true;
	file.caller = caller;
	if (caller != NULL)
		file.folder = file_split(keep(files, str_from(kept)), &name);
	if (known == MAP_NONE)
		add(files, kept, file);
	else if (known < files->operands) {
		files->caller[known] = caller;
		files->called_by[known] = file.session;
	}
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

/* Notes the sub-agents that a file of Codex CLI names as called. Read errors are reported when the
 * file itself is read. */
static void
note_calls(const struct agent_files *files, unsigned of, struct agent_calls *calls)
{
	struct fault fault = FAULT_INIT;
	struct buf text = BUF_INIT;
	struct input in;
	struct line line;

	input_init(&in, &files->operand[of], 1, &fault);
	in.unpacker = &unzstd;
	while (!fault_is_set(&fault) && input_fill(&in))
		while (input_next(&in, &line))
			if (agent_calls_may_note(line.text) && document_unfold(line.text, &text))
				agent_calls_note(calls, &line, json_value_at(text.ptr));
	input_free(&in);
	buf_free(&text);
	fault_free(&fault);
}

/* Adds the sub-agents that the session of Codex CLI with that id names as called, and whose files
 * were not found yet. A packed file that cannot be read is reported. */
static void
add_called(struct agent_files *files, unsigned of, const char *id)
{
	struct agent_calls calls = {.spoken = MAP_INIT};

	note_calls(files, of, &calls);
	for (size_t i = 0; i < agent_calls_count(&calls); i++) {
		struct str called = agent_calls_id(&calls, i);
		struct fault fault = FAULT_INIT;
		struct agent_head head;
		const char *path;

		if (map_get(&files->found, agent_calls_key(called)) != MAP_NONE)
			continue;
		path =
		    rollouts_find(&files->rollouts, files->file[of].folder, called, files->fault);
		if (path == NULL)
			continue;
		map_set(&files->found, agent_calls_key(called), 1);
		head = agent_head_read_lines(path, &files->arena, &fault);
		if (fault_is_set(&fault))
			diag_warn("%.*s", STR_ARG(buf_str(&fault.text)));
		else if (is_called_by(&head, AGENT_HEAD_CODEX, id))
			add_agent(files, of, str_from(path), id);
		fault_free(&fault);
	}
	agent_calls_free(&calls);
}

/* Adds the sub-agents' files that lie in the directory of the file. */
static void
add_beside(struct agent_files *files, unsigned of)
{
	struct agent_file file = files->file[of];
	const char *name = file_name(files->operand[of]);
	struct agent_head own = {.kind = AGENT_HEAD_CLAUDE_CODE, .id = file.name}, head;
	struct fault fault = FAULT_INIT;
	struct buf path = BUF_INIT;

	if (file.is_agent && file.caller == NULL)
		return; /* Claude Code has all of a session in one place */
	open_folder(files, file.folder);
	for (unsigned i = 0; i < files->folder.count; i++)
		if (strcmp(files->folder.entry[i].name, name) == 0 &&
		    read_head(files, i)->kind > AGENT_HEAD_CLAUDE_CODE)
			own = *read_head(files, i);
	if (own.kind == AGENT_HEAD_CLAUDE_CODE && str_has_suffix(str_from(name), STR(".zst"))) {
		head = agent_head_read_lines(files->operand[of], &files->arena, &fault);
		fault_free(&fault); /* it is said when the turn of the file comes */
		if (head.kind == AGENT_HEAD_CODEX)
			own = head;
	}
	for (unsigned i = 0; i < files->folder.count && own.id != NULL; i++) {
		const char *other = files->folder.entry[i].name;
		struct str ends = own.kind == AGENT_HEAD_OPENCODE ? STR(".json") : STR(".jsonl");

		if (strcmp(other, name) == 0 || !str_has_suffix(str_from(other), ends) ||
		    (own.kind == AGENT_HEAD_CLAUDE_CODE && !is_agent_name(other)))
			continue;
		if (!is_called_by(read_head(files, i), own.kind, own.id))
			continue;
		begin_path(files, of, &path);
		buf_add_fmt(&path, "%s", other);
		add_agent(
		    files, of, buf_str(&path), own.kind != AGENT_HEAD_CLAUDE_CODE ? own.id : NULL);
	}
	if (own.kind == AGENT_HEAD_CODEX && own.id != NULL)
		add_called(files, of, own.id);
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

/* Moves the operand with that number, and the files that follow it, from the old lists, in which
 * they are at first. */
static void
move_group(struct agent_files *files, const struct agent_files *old, unsigned at, unsigned session)
{
	unsigned number = old->file[at].session;

	for (; at < old->count && old->file[at].session == number; at++) {
		struct agent_file file = old->file[at];

		file.session = session;
		add(files, old->operand[at], file);
	}
}

/* Puts operands that are sub-agents of others after these; all others keep their order. */
static void
order_operands(struct agent_files *files)
{
	struct agent_files old = *files;
	unsigned *first = arena_alloc(&files->arena, old.operands * sizeof *first);
	unsigned *waiting = arena_alloc(&files->arena, old.operands * sizeof *waiting);
	bool *seen = arena_zalloc(&files->arena, old.operands, sizeof *seen);
	unsigned session = 0;

	for (unsigned i = old.count; i-- > 0;)
		first[old.file[i].session] = i;
	files->operand = NULL;
	files->file = NULL;
	files->count = files->cap = files->file_cap = 0;
	for (unsigned i = 0; i < old.operands; i++) {
		unsigned count = 0;

		for (unsigned of = i; of != UINT_MAX && !seen[of]; of = old.called_by[of]) {
			seen[of] = true;
			waiting[count++] = of;
		}
		while (count > 0)
			move_group(files, &old, first[waiting[--count]], session++);
	}
	free(old.operand);
	free(old.file);
}

void
agent_files_find(
    struct agent_files *files, char *const *operand, unsigned count, struct fault *fault)
{
	*files = (struct agent_files){
	    .arena = ARENA_INIT, .known = MAP_INIT, .fault = fault, .operands = count};
	files->caller = arena_zalloc(&files->arena, count + 1u, sizeof *files->caller);
	files->called_by = arena_alloc(&files->arena, (count + 1u) * sizeof *files->called_by);
	for (unsigned i = 0; i < count; i++) {
		files->called_by[i] = UINT_MAX;
		note(files, operand[i], i);
	}
	for (unsigned i = 0; i < count; i++)
		add_operand(files, operand[i], i);
	for (unsigned i = 0; i < files->count; i++)
		if (!files->file[i].is_agent)
			files->file[i].caller = files->caller[files->file[i].session];
	order_operands(files);
}

void
agent_files_free(struct agent_files *files)
{
	folder_free(&files->folder);
	free(files->head);
	free(files->operand);
	free(files->file);
	map_free(&files->known);
	map_free(&files->found);
	rollouts_free(&files->rollouts);
	arena_free(&files->arena);
}
