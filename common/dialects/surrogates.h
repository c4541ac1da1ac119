#ifndef DIALECTS_SURROGATES_H
#define DIALECTS_SURROGATES_H

/*
 * The stage beside a writer whose output is read by parsers that refuse the escape of a lone
 * surrogate, such as \ud83d without its second half: of APIs, for instance. A program that cut a
 * text in the middle of a character has left such an escape. It becomes the escape of U+FFFD.
 *
 * After a writer the stage treats all that is written. A writer that makes ids of what it writes
 * needs the stage before it, which then treats messages and context records, and the arguments of
 * calls, which are JSON in a string. Records that go to the file for bad lines
 * stay as they are.
 */

#include "data/stage.h"

struct surrogates {
	struct stage stage;
	bool is_after; /* the writer */
	struct json_edit edit;
	struct buf settled, arguments, text; /* of the last record */
};

/* Replaces these escapes in place in JSON that is followed by padding. Returns whether there were
 * any. */
bool surrogates_replace(char *json, size_t len);

void surrogates_init(struct surrogates *surrogates, bool is_after);
void surrogates_free(struct surrogates *surrogates);

#endif
