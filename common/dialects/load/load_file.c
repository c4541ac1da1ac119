#include "dialects/load/load_file.h"

#include <stdlib.h>

#include "base/list.h"

enum { SAID_MAX = 100 }; /* bytes of a parent that are kept for findings */

struct load_file_node *
load_file_add(struct load_file *file, size_t line)
{
	LIST_ADD(file->node, file->count, file->cap, (struct load_file_node){.line = line});
	if (!file->is_brief)
		LIST_ADD(file->said, file->said_count, file->said_cap, 0);
	return load_file_last(file);
}

struct load_file_node *
load_file_find(const struct load_file *file, size_t line)
{
	uint32_t after;

	LIST_BOUND(after, i, file->count, file->node[i].line <= line);
	return &file->node[after > 0 ? after - 1 : 0];
}

uint32_t
load_file_id(struct load_file *file, struct hash key)
{
	uint32_t id = numbering_add(&file->ids, key);

	while (file->named_count <= id)
		LIST_ADD(file->named, file->named_count, file->named_cap, LOAD_NONE);
	return id;
}

void
load_file_name(struct load_file *file, uint32_t id)
{
	file->named[id] = file->count - 1;
}

uint8_t *
load_file_marks(const struct load_file *file)
{
	uint8_t *marks = mem_alloc((size_t)file->named_count + 1, 1);

	memset(marks, 0, (size_t)file->named_count + 1);
	return marks;
}

void
load_file_seal(struct load_file *file)
{
	numbering_free(&file->ids);
}

void
load_file_quote(struct load_file *file, struct json_value value)
{
	struct str said = json_span(value);
	size_t len = said.len < SAID_MAX ? said.len : SAID_MAX;

	if (file->is_brief)
		return;
	if (file->subjects.len == 0)
		buf_add_char(&file->subjects, '\0');
	file->said[file->count - 1] = file->subjects.len;
	buf_add_char(&file->subjects, (char)len);
	buf_add(&file->subjects, said.ptr, len);
}

struct str
load_file_said(const struct load_file *file, uint32_t node)
{
	size_t at = node < file->said_count ? file->said[node] : 0;

	return at == 0 ? STR("") :
			 str_of(file->subjects.ptr + at + 1, (size_t)file->subjects.ptr[at]);
}

void
load_file_blame(struct load_file *file, enum violation code, size_t line, struct str subject)
{
	struct violation_finding finding = {
	    code, file->name, line, subject.len > 0 ? subject : STR("\"\"")};

	if (!file->is_brief)
		violation_list_add(&file->findings, &finding);
}

void
load_file_free(struct load_file *file)
{
	free(file->node);
	free(file->call);
	free(file->message);
	free(file->fault);
	free(file->half);
	buf_free(&file->kept);
	buf_free(&file->findings);
	buf_free(&file->subjects);
	free(file->said);
	numbering_free(&file->ids);
	free(file->named);
	if (file->alone != NULL)
		load_file_free(file->alone);
	free(file->alone);
}
