#ifndef JSON_EDIT_H
#define JSON_EDIT_H

/*
 * An edit is a short list of (span, replacement) over one text: everything outside the spans is
 * copied byte for byte. Spans are added in any order and must not overlap.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "json/value.h"

enum { JSON_EDIT_MAX = 64 };

struct json_splice {
	const char *ptr;
	size_t len;
	struct str with;
	bool is_member; /* a removed member: the commas around it are mended by the write */
};

struct json_edit {
	struct str text;
	struct json_splice splice[JSON_EDIT_MAX];
	unsigned count;
};

void json_edit_init(struct json_edit *edit, struct str text);

/* Puts with in place of the span, which lies in the text; replacements must live until the write.
 * False when the list is full. */
bool json_edit_replace(struct json_edit *edit, struct str span, struct str with);

/* Adds a member at the end of object (a value in the text); name is escaped JSON without quotes,
 * value is JSON. The bytes come from arena. Several in one object keep their order. False when the
 * list is full. */
bool json_edit_add(struct json_edit *edit, struct json_value object, struct str name,
    struct str value, struct arena *arena);

/* Takes the member out of object, with one comma beside it; name is the span of its name.
 * Adding to an object from which members are removed in the same edit is not supported. */
bool json_edit_remove(struct json_edit *edit, struct json_value object, struct json_value name,
    struct json_value value);

/* Appends the edited text to buf. */
void json_edit_write(const struct json_edit *edit, struct buf *buf);

#endif
