#include "base/text/file_path.h"

#include <string.h>

/* Appends a segment to a path that is being built. "." and ".." are resolved. */
static void
add_segment(char *path, size_t *len, size_t root, struct str segment)
{
	size_t cut = *len;

	if (segment.len == 0 || str_eq(segment, STR(".")))
		return;
	if (str_eq(segment, STR("..")) && root > 0 && cut == root)
		return; /* "/.." is "/" */
	if (str_eq(segment, STR("..")) && cut > root) {
		while (cut > root && path[cut - 1] != '/')
			cut--;
		if (*len - cut != 2 || memcmp(path + cut, "..", 2) != 0) {
			*len = cut > root ? cut - 1 : cut;
			return;
		}
	}
	if (*len > root)
		path[(*len)++] = '/';
	memcpy(path + *len, segment.ptr, segment.len);
	*len += segment.len;
}

struct str
file_path_normalize(struct str path, struct arena *arena)
{
	char *copy = arena_alloc(arena, path.len + 2);
	size_t root = path.len > 0 && path.ptr[0] == '/';
	size_t len = root;

	if (root)
		copy[0] = '/';
	for (size_t i = 0; i < path.len;) {
		const char *slash = memchr(path.ptr + i, '/', path.len - i);
		size_t end = slash != NULL ? (size_t)(slash - path.ptr) : path.len;

		add_segment(copy, &len, root, str_of(path.ptr + i, end - i));
		i = end + 1;
	}
	return str_of(copy, len);
}

bool
file_path_is_absolute(struct str path)
{
	return str_has_prefix(path, STR("/")) || str_has_prefix(path, STR("~/")) ||
	    str_eq(path, STR("~"));
}

struct str
file_path_below(struct str directory, struct str path, struct arena *arena)
{
	char *joined;

	if (directory.len == 0 || file_path_is_absolute(path))
		return file_path_normalize(path, arena);
	joined = arena_alloc(arena, directory.len + 1 + path.len);
	memcpy(joined, directory.ptr, directory.len);
	joined[directory.len] = '/';
	memcpy(joined + directory.len + 1, path.ptr, path.len);
	return file_path_normalize(str_of(joined, directory.len + 1 + path.len), arena);
}

bool
file_path_is_under(struct str path, struct str directory)
{
	return directory.len > 0 && path.len > directory.len + 1 &&
	    str_has_prefix(path, directory) && path.ptr[directory.len] == '/';
}
