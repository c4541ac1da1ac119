#include "dialects/load/load_file.h"

#include <stdlib.h>

#include "base/list.h"

struct load_file_node *
load_file_add(struct load_file *file, size_t line)
{
	LIST_ADD(file->node, file->count, file->cap, (struct load_file_node){.line = line});
	return load_file_last(file);
}

struct load_file_node *
load_file_find(const struct load_file *file, size_t line)
{
	uint32_t from = 0, to = file->count;

	while (to - from > 1) {
		uint32_t middle = from + (to - from) / 2;

		if (file->node[middle].line <= line)
			from = middle;
		else
			to = middle;
	}
	return &file->node[from];
}

uint32_t
load_file_named(const struct load_file *file, struct hash key)
{
	uint64_t found = map_get(&file->by_key, key);

	return found == MAP_NONE ? LOAD_NONE : (uint32_t)found;
}

void
load_file_blame(struct load_file *file, enum violation code, size_t line, struct str subject)
{
	struct violation_finding finding = {
	    code, file->name, line, subject.len > 0 ? subject : STR("\"\"")};

	violation_list_add(&file->findings, &finding);
}

void
load_file_free(struct load_file *file)
{
	free(file->node);
	free(file->call);
	free(file->message);
	free(file->fault);
	buf_free(&file->kept);
	buf_free(&file->findings);
	buf_free(&file->subjects);
	map_free(&file->by_key);
	if (file->alone != NULL)
		load_file_free(file->alone);
	free(file->alone);
}
