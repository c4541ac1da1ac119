#ifndef DIALECTS_DIALECT_SIGN_H
#define DIALECTS_DIALECT_SIGN_H

/*
 * The shapes that records of a format have: of the dialects that are told by rows, and of formats
 * that nobody reads, which are named in diagnostics.
 */

#include "json/members.h"

/* What a message or a part alone is called, which is a file of its own in opencode's storage, and
 * what a session says of itself, where no messages of it are in the storage. */
#define DIALECT_SIGN_STORED "a file of opencode's storage"
#define DIALECT_SIGN_STORED_SESSION "a session of opencode's storage"

/* How surely a record belongs to a dialect; the dialect with the surest sign wins. */
enum dialect_sign {
	DIALECT_SIGN_NONE,
	DIALECT_SIGN_WEAK,    /* nothing in the record speaks against the dialect */
	DIALECT_SIGN_CLEAR,   /* the record has members that the dialect has */
	DIALECT_SIGN_CERTAIN, /* no other dialect has such a record */
};

/* What the members of the record are is found once for all that is asked of it until the release,
 * and it stays as it is until then. */
void dialect_sign_hold(struct json_value record);
void dialect_sign_release(void);

/* How surely a record of its shape belongs to the dialect of that name. */
enum dialect_sign dialect_sign_tell(const char *dialect, struct json_value record);

/* The name of the first format whose shape the record has, or NULL. */
const char *dialect_sign_name(struct json_value record);

#endif
