#ifndef INPUT_STORAGE_H
#define INPUT_STORAGE_H

/*
 * The storage of opencode, a file for each session, message and part:
 *
 *     storage/session/PROJECT/SESSION.json    describes the session: {"id":SESSION,…}
 *     storage/message/SESSION/….json          its messages, by name: {"id":MESSAGE,…}
 *     storage/part/MESSAGE/….json             their parts, by name
 *
 * Messages and parts are written in the order of their names; the reader sorts the messages by
 * time. An id must be a name in its folder, so that no path leaves the storage
 * (stream/file/folder.h).
 */

#include "base/buf.h"
#include "base/fault.h"
#include "json/value.h"

struct storage {
	const char *file;     /* of the session, for diagnostics */
	char *base;           /* the directory of the storage */
	struct fault *fault;  /* set when something cannot be read */
	bool is_broken;       /* set: a file is no object of JSON; it was named */
	struct buf *text;     /* the output */
	struct buf raw, line; /* the file at hand, and its value on one line */
};

/* Opens the storage that the file is in; info is the record in it. Returns false when the record is
 * not that of a session, or the file is in no storage with messages of that session. The fault is
 * set when a file of the storage cannot be read, now or later; it must outlive the storage. */
bool storage_open(
    struct storage *storage, const char *file, struct json_value info, struct fault *fault);

/* Appends the messages of the session with that id to text, as opencode exports them:
 * [{"info":{…},"parts":[…]},…]. */
void storage_write(struct storage *storage, struct json_value id, struct buf *text);

void storage_free(struct storage *storage);

#endif
