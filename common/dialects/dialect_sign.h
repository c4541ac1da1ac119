#ifndef DIALECTS_DIALECT_SIGN_H
#define DIALECTS_DIALECT_SIGN_H

/*
 * A table of the shapes of records: of dialects that are recognized by rows of this table, and of
 * formats that are not read, only named in diagnostics.
 */

#include "json/members.h"

/* Names for files of opencode's storage: one message or part, and the description of a session
 * whose messages are not in the storage. */
#define DIALECT_SIGN_STORED "a file of opencode's storage"
#define DIALECT_SIGN_STORED_SESSION "a session of opencode's storage"

/* How surely a record belongs to a dialect; the dialect with the surest sign wins. */
enum dialect_sign {
	DIALECT_SIGN_NONE,
	DIALECT_SIGN_WEAK,    /* nothing in the record speaks against the dialect */
	DIALECT_SIGN_CLEAR,   /* the record has members that the dialect has */
	DIALECT_SIGN_CERTAIN, /* no other dialect has such a record */
};

/* Until the release, the members of the record are looked up only once for all questions about it.
 * The record must not change until then. A record in it may be held meanwhile, with a release of
 * its own, which changes nothing. */
void dialect_sign_hold(struct json_value record);
void dialect_sign_release(void);

/* How surely the record belongs, by its shape, to the dialect of that name. */
enum dialect_sign dialect_sign_tell(const char *dialect, struct json_value record);

/* The name of the first format whose shape the record has, or NULL. */
const char *dialect_sign_name(struct json_value record);

#endif
