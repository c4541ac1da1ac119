#ifndef POLICY_NORMALIZE_MEND_H
#define POLICY_NORMALIZE_MEND_H

/*
 * The faults that a single message can have, and the edits that mend them. JSON_PADDING readable
 * bytes follow each text that is made here.
 */

#include "base/buf.h"
#include "data/message/message.h"
#include "policy/normalize/violation.h"

/* The role that another format's word means, or ROLE_OTHER. */
enum role mend_alias(const struct message *message);

/* Whether the message says nothing: its content is blank, it has no calls and no thinking, no other
 * member holds anything, and its metadata holds no content. Tool results, artifacts and pinned
 * messages never count as empty. */
bool mend_is_empty(const struct message *message);

/* Whether a value says more than nothing: null, false, blanks, and empty arrays and objects do
 * not. */
bool mend_holds_something(struct json_value value);

/* Writes into to a copy of text in which json replaces the value, a span of text. */
void mend_value(struct str text, struct json_value value, struct str json, struct buf *to);

/* Members that must be replaced, as rows. */
struct mend {
	enum violation violation;
	struct json_value (*find)(const struct message *message); /* the value; absent: none */
	void (*write)(const struct message *message, struct buf *json); /* what takes its place */
};

enum { MEND_COUNT = 3 };
extern const struct mend mend_table[MEND_COUNT];

/* Writes an orphan result as an injected user message: marks its content, keeps everything else.
 * Returns false if the message has no place for the metadata that marks it as injected. */
bool mend_orphan(const struct message *message, struct str text, struct buf *to);

/* The members of metadata that a missing result has in common with its call. */
enum { MEND_SHARED = 5 };
extern const enum metadata_name mend_shared[MEND_SHARED];

/* What is known of a missing result. Each field is a JSON text, or empty. */
struct mend_gap {
	struct str id;   /* a string or a number */
	struct str name; /* a string */
	struct str shared[MEND_SHARED];
};

/* The id and the name of a call, for a gap; absent if they are of another type. */
struct json_value mend_id(const struct tool_call *call);
struct json_value mend_name(const struct tool_call *call);

/* Appends the record that replaces the missing result. */
void mend_missing(const struct mend_gap *gap, struct buf *to);

#endif
