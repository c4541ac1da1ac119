#include "face/input/storage.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "face/input/document.h"
#include "json/members.h"
#include "json/string.h"
#include "stream/file/folder.h"

enum { STORAGE_FILE_MAX = 1 << 30 }; /* bytes of a file */

/* The directory in the file's path before /session/PROJECT/NAME. The caller frees the result; NULL
 * when the path has no such end, or cannot be found. */
static char *
find_base(const char *file, struct fault *fault)
{
	char *path = realpath(file, NULL), *slash = NULL;

	if (path == NULL)
		fault_set_error(fault, STATUS_NO_INPUT, "cannot read '%s'", file);
	for (int level = 0; path != NULL && level < 3; level++) {
		slash = strrchr(path, '/');
		if (slash == NULL || (level == 2 && strcmp(slash, "/session") != 0)) {
			free(path);
			return NULL;
		}
		*slash = '\0';
	}
	return path;
}

/* The id as a name, in a buffer that is the caller's. */
static const char *
name_of(struct json_value id, struct buf *name)
{
	buf_reset(name);
	if (id.type == JSON_STRING)
		json_decode(id, name);
	buf_add_char(name, '\0');
	return strlen(name->ptr) + 1 == name->len ? name->ptr : "";
}

bool
storage_open(struct storage *storage, const char *file, struct json_value info, struct fault *fault)
{
	struct json_value id = json_find(info, STR("id"));
	struct folder folder;
	struct buf name = BUF_INIT;
	bool is_there;

	*storage = (struct storage){.file = file, .fault = fault};
	if (id.type != JSON_STRING || json_find(info, STR("projectID")).type != JSON_STRING ||
	    json_has(info, STR("messages")) || file_is_stdin(file))
		return false;
	storage->base = find_base(file, fault);
	if (storage->base == NULL)
		return false;
	is_there = !folder_open(&folder, storage->base,
		       (const char *const[]){"message", name_of(id, &name), NULL}, fault) ||
	    folder.count > 0;
	folder_free(&folder);
	buf_free(&name);
	return is_there;
}

/* Reads the file of the folder as one line of JSON. One that is no object is named. */
static bool
read_file(struct storage *storage, const char *const *path)
{
	int error;

	buf_reset(&storage->raw);
	error = folder_read(storage->base, path, STORAGE_FILE_MAX, &storage->raw, storage->fault);
	if (error != 0)
		return fault_set(storage->fault, STATUS_NO_INPUT, "cannot read '%s/%s/%s/%s': %s",
		    storage->base, path[0], path[1], path[2], strerror(error));
	if (document_unfold(buf_str(&storage->raw), &storage->line) && storage->line.ptr[0] == '{')
		return true;
	diag_warn_at(storage->file, 0, "%s/%s/%s is no JSON object", path[0], path[1], path[2]);
	storage->is_broken = true;
	return false;
}

/* Writes the values of the folder's files, by their names, as a list; of messages each with its
 * parts. */
static void
write_folder(struct storage *storage, const char *kind, struct json_value id)
{
	bool has_parts = strcmp(kind, "message") == 0;
	struct buf name = BUF_INIT, *text = storage->text;
	const char *path[] = {kind, name_of(id, &name), NULL, NULL};
	struct folder folder;
	const char *mark = "";

	folder_open(&folder, storage->base, path, storage->fault);
	buf_add_char(text, '[');
	for (unsigned i = 0; i < folder.count; i++) {
		struct json_value value;

		path[2] = folder.entry[i].name;
		if (folder.entry[i].is_folder || !str_has_suffix(str_from(path[2]), STR(".json")) ||
		    !read_file(storage, path))
			continue;
		value = json_value_at(storage->line.ptr);
		buf_add_fmt(text, "%s%s", mark, has_parts ? "{\"info\":" : "");
		mark = ",";
		buf_add_str(text, json_span(value));
		if (!has_parts)
			continue;
		buf_add_str(text, STR(",\"parts\":"));
		write_folder(storage, "part", json_find(value, STR("id")));
		buf_add_char(text, '}');
	}
	buf_add_char(text, ']');
	folder_free(&folder);
	buf_free(&name);
}

void
storage_write(struct storage *storage, struct json_value id, struct buf *text)
{
	storage->text = text;
	write_folder(storage, "message", id);
}

void
storage_free(struct storage *storage)
{
	free(storage->base);
	buf_free(&storage->raw);
	buf_free(&storage->line);
}
