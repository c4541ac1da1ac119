#ifndef SESSION_SESSION_KEY_H
#define SESSION_SESSION_KEY_H

/*
 * The option --session-key: a path of members, such as metadata.session_id. The value at this path
 * names the session of a record. It may be a string, a number, true or false. Strings are compared
 * by their text, all other values by their spelling.
 */

#include "base/hash/hash.h"
#include "data/message/message.h"
#include "json/edit.h"

enum { SESSION_KEY_DEPTH = 16 };

struct session_key {
	struct str name[SESSION_KEY_DEPTH]; /* of the members, from the outermost one */
	unsigned depth;
	bool is_metadata;   /* the first name is metadata: it also means _metadata */
	bool is_session_id; /* the path is metadata.session_id */
};

/* Reads the path, which must live as long as the key. Returns false when the path has an empty
 * name, or more than SESSION_KEY_DEPTH names. */
bool session_key_parse(struct session_key *key, const char *path);

/* The value of the key in the record of message; absent when the record names no session. */
struct json_value session_key_find(const struct session_key *key, const struct message *message);

/* A hash that is the same for equal values. scratch is for decoded text; its content is lost. */
struct hash session_key_hash(struct json_value value, struct buf *scratch);

/* The key of one session: the path, and the value that its records have there. */
struct session_key_value {
	const struct session_key *key;
	struct json_value value; /* absent: the records without a key */
};

/* Adds the key and its value to a record, as session_key_add does. text is the JSON of the record,
 * with JSON_PADDING readable bytes after it. Writes the new record to out. Returns false, and
 * writes nothing, when the record needs no key. */
bool session_key_complete(const struct session_key_value *name, struct str text, struct buf *out);

/* Notes in edit, an edit of the record of message, that the record gets the key with that value,
 * which is JSON. Returns false, and notes nothing, when a member on the path has a value that is no
 * object. */
bool session_key_add(const struct session_key *key, const struct message *message, struct str value,
    struct json_edit *edit);

#endif
