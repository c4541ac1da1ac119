#ifndef SESSION_SESSION_KEY_H
#define SESSION_SESSION_KEY_H

/*
 * The option --session-key: a path of members, such as metadata.session_id, whose value in a record
 * says of which session the record is. A string, a number, true and false are values that say it;
 * strings are compared by their text, all others as they are spelled.
 */

#include "base/hash/hash.h"
#include "data/message/message.h"
#include "json/edit.h"

enum { SESSION_KEY_DEPTH = 16 };

struct session_key {
	struct str name[SESSION_KEY_DEPTH]; /* of the members, from the outermost one */
	unsigned depth;
	bool is_metadata;   /* the first name is metadata, under whichever name a message has it */
	bool is_session_id; /* the path is metadata.session_id */
};

/* Reads the path, which must live as long as the key. Returns false when it has an empty name, or
 * more than SESSION_KEY_DEPTH names. */
bool session_key_parse(struct session_key *key, const char *path);

/* The value in the record that message is read from; absent when it says no session. */
struct json_value session_key_find(const struct session_key *key, const struct message *message);

/* The hash under which equal values are equal. scratch is for decoded text. */
struct hash session_key_hash(struct json_value value, struct buf *scratch);

/* The key of one session: the path, and the value that its records have there. */
struct session_key_value {
	const struct session_key *key;
	struct json_value value; /* absent: the records without a key */
};

/* Gives the record that text is the JSON of the key, as session_key_add does. Returns false when it
 * needs nothing; else writes it to out. JSON_PADDING readable bytes must follow text. */
bool session_key_complete(const struct session_key_value *name, struct str text, struct buf *out);

/* Notes in edit, an edit of the record, that it gets the value, as JSON. Returns false, and notes
 * nothing, when a member on the path has another value than an object already. */
bool session_key_add(const struct session_key *key, const struct message *message, struct str value,
    struct json_edit *edit);

#endif
