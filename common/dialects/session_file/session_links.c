#include "dialects/session_file/session_links.h"

static void
compile(struct session_links_paths *paths, struct member_path *path, const char *text)
{
	member_path_compile(path, &paths->tree, NULL, text != NULL ? str_from(text) : STR(""));
}

void
session_links_init(struct session_links_paths *paths, const struct session_layout *format)
{
	paths->tree = (struct member_tree)MEMBER_TREE_INIT;
	compile(paths, &paths->parent, format->parent);
	for (size_t i = 0; i < INTO_REFERS; i++)
		compile(paths, &paths->refers[i], format->refers[i]);
	for (size_t i = 0; i < 2; i++) {
		compile(paths, &paths->keeps[i], format->keeps[i]);
		compile(paths, &paths->kept[i], format->kept[i]);
	}
}

void
session_links_free(struct session_links_paths *paths)
{
	arena_free(&paths->tree.arena);
}

struct session_links
session_links_find(const struct session_links_paths *paths, struct json_value record)
{
	struct session_links links;
	struct member_view view;

	member_view_open(&view, &paths->tree, NULL, record, record);
	links.parent = member_find_null(&view, &paths->parent);
	for (size_t i = 0; i < INTO_REFERS; i++)
		links.refers[i] = member_find(&view, &paths->refers[i]);
	for (size_t i = 0; i < 2; i++) {
		links.keeps[i] = member_find(&view, &paths->keeps[i]);
		links.kept[i] = member_find(&view, &paths->kept[i]);
	}
	return links;
}
