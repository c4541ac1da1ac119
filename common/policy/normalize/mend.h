#ifndef POLICY_NORMALIZE_MEND_H
#define POLICY_NORMALIZE_MEND_H

/*
 * Single messages: what can be wrong with a message by itself, and the edits that mend it. The
 * texts made here have JSON_PADDING readable bytes behind them.
 */

#include "base/buf.h"
#include "data/message.h"

/* The role that another format's word stands for, or ROLE_OTHER. */
enum role mend_alias(const struct message *message);

/* Whether the message says nothing: its content is blank, it has no calls and no thinking, no other
 * member holds anything, and its metadata holds no content. Tool results, artifacts and pinned
 * messages never count as empty. */
bool mend_is_empty(const struct message *message);

/* Whether a value says more than nothing: null, false, blanks, and empty arrays and objects do
 * not. */
bool mend_holds_something(struct json_value value);

/* Writes text (the message's) with that role into to. */
void mend_role(const struct message *message, struct str text, enum role role, struct buf *to);

/* Whether metadata.critical holds something that is no boolean, and so says nothing. */
bool mend_has_bad_flag(const struct message *message);

/* Writes text (the message's) with a false in the place of that into to. */
void mend_flag(const struct message *message, struct str text, struct buf *to);

/* Writes text (the message's) with that id, a JSON string, in the place of its own. */
void mend_id_anew(const struct message *message, struct str text, struct str id, struct buf *to);

/* Whether metadata.forgets holds something that is neither an id nor a list of ids. */
bool mend_has_bad_tombstone(const struct message *message);

/* Writes text (the message's) with a list of the ids that are in it in the place of that. */
void mend_tombstone(const struct message *message, struct str text, struct buf *to);

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

/* Appends the record that stands for the missing result. */
void mend_missing(const struct mend_gap *gap, struct buf *to);

#endif
