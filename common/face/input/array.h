#ifndef INPUT_ARRAY_H
#define INPUT_ARRAY_H

/*
 * The elements of a JSON array, one after another, each as soon as it has come: an array of any
 * size takes the memory of its longest element.
 *
 *     [ element , element , element ]
 *     ^-- text: the first             the text of an element goes up to the comma or bracket
 *                ^-- text: the next
 */

#include "face/input/document.h"

struct array {
	struct document document;
	bool is_open;  /* an array is being read */
	bool is_first; /* none of its elements has been taken */
};

/* Opens the array at the start of text, after any blanks. Returns false, and opens nothing, when
 * text begins with anything else. */
bool array_open(struct array *array, struct str text);

/* Looks for the next element in text, which begins after the elements that were taken. Returns
 * DOCUMENT_ELEMENT, or DOCUMENT_WHOLE for the last one, which may be missing: then value is empty.
 * *len is the number of bytes of text that belong to the value: drop them from text before the next
 * call. After DOCUMENT_MORE, call again with more text. */
enum document_state array_next(
    struct array *array, struct str text, struct str *value, size_t *len);

#endif
