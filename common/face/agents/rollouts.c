#include "face/agents/rollouts.h"

#include <stdlib.h>

#include "base/list.h"
#include "face/agents/agent_calls.h"
#include "stream/file/folder.h"

enum { LEVELS = 3 };

static const size_t width[LEVELS] = {4, 2, 2}; /* of years, months, days */

static bool
is_number(struct str name, size_t len)
{
	bool is = name.len == len;

	for (size_t i = 0; is && i < len; i++)
		is = name.ptr[i] >= '0' && name.ptr[i] <= '9';
	return is;
}

/* The root of the tree in which the folder is a day's; empty if it is none. */
static struct str
find_root(const char *folder)
{
	size_t at = strlen(folder);

	for (int level = LEVELS - 1; level >= 0; level--) {
		size_t len = width[level];

		if (at < len || !is_number(str_of(folder + at - len, len), len) ||
		    (at == len ? level > 0 : folder[at - len - 1] != '/'))
			return STR("");
		at -= len + (at > len);
	}
	return at > 0 ? str_of(folder, at) : folder[0] == '/' ? STR("/") : STR(".");
}

/* The id in the name of a rollout; empty where it is none. */
static struct str
find_id(struct str name)
{
	static const struct str shape = STR_INIT("0000-00-00T00-00-00-");
	static const struct str head = STR_INIT("rollout-");
	bool is_time;

	if (str_has_suffix(name, STR(".zst")))
		name.len -= STR(".zst").len;
	if (!str_has_prefix(name, head) || !str_has_suffix(name, STR(".jsonl")))
		return STR("");
	name = str_of(name.ptr + head.len, name.len - head.len - STR(".jsonl").len);
	is_time = name.len > shape.len;
	for (size_t i = 0; is_time && i < shape.len; i++)
		is_time = shape.ptr[i] == '0' ? is_number(str_of(name.ptr + i, 1), 1) :
						name.ptr[i] == shape.ptr[i];
	return is_time ? str_of(name.ptr + shape.len, name.len - shape.len) : name;
}

static void
add(struct rollouts *rollouts, const char *const *names, const char *name)
{
	struct str id = find_id(str_from(name));
	struct buf path = BUF_INIT;
	struct hash key = agent_calls_key(id);

	if (id.len == 0 || map_get(&rollouts->by_id, key) != MAP_NONE)
		return;
	buf_add_str(&path, str_from(rollouts->root));
	for (; *names != NULL; names++)
		buf_add_fmt(&path, "/%s", *names);
	buf_add_fmt(&path, "/%s", name);
	map_set(&rollouts->by_id, key, rollouts->count);
	LIST_ADD(rollouts->path, rollouts->count, rollouts->cap,
	    arena_copy_padded(&rollouts->arena, buf_str(&path)).ptr);
	buf_free(&path);
}

/* Adds the files of the folders so many levels below. */
static void
add_below(struct rollouts *rollouts, const char **names, int level, int levels, struct fault *fault)
{
	struct folder folder;

	folder_open(&folder, rollouts->root, names, fault);
	for (unsigned i = 0; i < folder.count; i++) {
		struct folder_entry entry = folder.entry[i];

		if (level == levels && !entry.is_folder)
			add(rollouts, names, entry.name);
		if (level == levels || !entry.is_folder ||
		    !is_number(str_from(entry.name), width[level]))
			continue;
		names[level] = entry.name;
		add_below(rollouts, names, level + 1, levels, fault);
		names[level] = NULL;
	}
	folder_free(&folder);
}

static void
open_tree(struct rollouts *rollouts, const char *folder, struct fault *fault)
{
	const char *names[LEVELS + 1] = {NULL};
	struct str root = find_root(folder);
	char *path = root.len == 0 ? realpath(folder, NULL) : NULL;
	bool is_tree;

	if (path != NULL)
		root = find_root(path);
	is_tree = root.len > 0;
	if (!is_tree)
		root = str_from(folder);
	rollouts->folder = folder;
	if (rollouts->root == NULL || !str_eq(str_from(rollouts->root), root)) {
		const char *kept = arena_copy_padded(&rollouts->arena, root).ptr;

		map_free(&rollouts->by_id);
		rollouts->by_id = (struct map)MAP_INIT;
		rollouts->root = kept;
		add_below(rollouts, names, 0, is_tree ? LEVELS : 0, fault);
	}
	free(path);
}

const char *
rollouts_find(struct rollouts *rollouts, const char *folder, struct str id, struct fault *fault)
{
	uint64_t found;

	if (rollouts->folder == NULL || strcmp(rollouts->folder, folder) != 0)
		open_tree(rollouts, folder, fault);
	found = map_get(&rollouts->by_id, agent_calls_key(id));
	return found != MAP_NONE ? rollouts->path[found] : NULL;
}

void
rollouts_free(struct rollouts *rollouts)
{
	arena_free(&rollouts->arena);
	free(rollouts->path);
	map_free(&rollouts->by_id);
}
