#ifndef ARCHIVE_ARCHIVE_PASS_H
#define ARCHIVE_ARCHIVE_PASS_H

/*
 * A pass says how to undo the edits of one run to a stream. Its key for look-up is the key of the
 * stream that the run wrote. The stream may have grown since then: the pass is for the lines that
 * the run wrote, and later lines do not matter. Each message that the run added or changed has the
 * ID of the pass in its metadata. So two runs can leave the same lines for different inputs only if
 * they did nothing but drop records.
 *
 *     {"stream":KEY,"id":ID,"edits":[{"at":2,"gone":KEY},{"at":2,"new":true}],"sessions":[]}
 *
 * ID is the first digits of the hash of the edits. The edits are in the order of the input, so that
 * undoing them restores this order:
 *
 *     at      the place: the number of lines of the output before it, without budget records
 *     gone    the run removed this record from the place; with "end", if its line did not end in
 *             LF alone; with "bom", if a byte order mark was before it; with "budget", if it was a
 *             budget record
 *     new     the run added the line at the place
 *     was     the run changed this record into the line at the place
 *     kept    this budget record is at the place, in the input and in the output
 *     wrote   the run wrote this budget record at the place
 *     open    the last line of the input had no line end
 *
 * In a stream of many sessions, each session has its own pass, without "sessions". This pass can
 * restore the session also when other tools moved its records elsewhere. After these passes comes
 * the pass of the stream. It restores the order of all records, and the records of sessions of
 * which the run left nothing. A long stream has several passes of the stream: each is for the lines
 * up to its end, and has only the edits after those of the pass before. "sessions" has the keys of
 * the passes of sessions that are undone with it.
 *
 * Earlier versions wrote no passes of many sessions, no "sessions" and no ID. They do not mention
 * budget records that stayed. The other budget records are in a member of their own, in which "at"
 * counts lines of the input:
 *
 *     {"stream":KEY,"edits":[...],"budget":{"wrote":KEY,"had":[{"at":9,"gone":KEY}]},"open":true}
 */

#include "data/archive/archive.h"
#include "stream/output.h"

/* Writes the ID of the pass to metadata.pass of each message that policies changed or added. */
void archive_pass_mark(struct session *session, bool drops_bad);

/* A session, and the key of the pass that was written for it. */
struct archive_pass {
	struct session *session;
	bool is_of_many;        /* it is one of many in a stream */
	struct archive_key key; /* of the pass; set only when the session has changes */
};

/* Calls archive_pass_mark. Then writes to out the original records that policies changed or
 * dropped, with their origins, the lists of the session, and the pass, in this order. drops_bad:
 * bad lines are not in the output. Writes nothing for a session without a change. The bytes of the
 * session must stay until out is flushed. */
void archive_pass_write(struct archive_pass *pass, bool drops_bad, struct output *out);

#endif
