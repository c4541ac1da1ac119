#include "face/input/array.h"

bool
array_open(struct array *array, struct str text)
{
	struct str trimmed = str_trim(text);

	array->is_open = array->is_first = trimmed.len > 0 && trimmed.ptr[0] == '[';
	document_init(&array->document);
	array->document.by_element = true;
	return array->is_open;
}

enum document_state
array_next(struct array *array, struct str text, struct str *value, size_t *len)
{
	struct document *document = &array->document;
	enum document_state state = document_read(document, text);
	struct str read = str_trim(str_of(text.ptr, document->at));

	*len = document->at;
	*value = read;
	if (state != DOCUMENT_ELEMENT && state != DOCUMENT_WHOLE)
		return state;
	read.len--;
	if (array->is_first)
		read = str_of(read.ptr + 1, read.len - 1);
	*value = str_trim(read);
	array->is_first = false;
	document->at = 0;
	return state;
}
