#ifndef ARCHIVE_ARCHIVE_PASS_H
#define ARCHIVE_ARCHIVE_PASS_H

/*
 * A pass says how to undo what one run did to a stream. It is found by the key of the stream that
 * the run wrote. The log may have grown since: a pass holds for the lines that it wrote, wherever
 * they end. Each message that the run added or changed has the ID of the pass in its metadata, so
 * that only runs which did nothing but drop may have left the same lines of different streams.
 *
 *     {"stream":KEY,"id":ID,"edits":[{"at":2,"gone":KEY},{"at":2,"new":true}],"sessions":[]}
 *
 * ID is the first digits of the hash of the edits. The edits stand in the order of the input, so
 * that each record is behind the one that it stood behind:
 *
 *     at      lines of the output that stand before the place, but for budget records
 *     gone    a record stood there       with "end", if its line did not end in LF alone; with
 *                                        "bom", if a byte order mark stood in front of it; and
 *                                        with "budget", if it was a budget record
 *     new     the line there was added
 *     was     the line there was that record
 *     kept    that budget record stands there, as it did
 *     wrote   that budget record was written there
 *     open    the last line of the input had no line end
 *
 * Of a stream of many sessions, each session has a pass, without "sessions", so that the session
 * comes back wherever it is by then. The pass of the stream, behind them, brings back the order of
 * all, and what was of a session of which nothing is left. That of a long stream is several, each
 * of the lines up to its end, with the edits behind those of the one before. In "sessions" it has
 * the keys of the passes that are done with it.
 *
 * Earlier versions have no pass of many sessions, no "sessions" and no ID. They say nothing of
 * budget records that stay, and of the others in a member of its own, where at counts lines of the
 * input:
 *
 *     {"stream":KEY,"edits":[...],"budget":{"wrote":KEY,"had":[{"at":9,"gone":KEY}]},"open":true}
 */

#include "data/archive/archive.h"
#include "stream/output.h"

/* Gives each message that policies changed or added the ID as metadata.pass. */
void archive_pass_mark(struct session *session, bool drops_bad);

/* A session, and the key of the pass that was written of it. */
struct archive_pass {
	struct session *session;
	bool is_of_many;        /* it is one of many in a stream */
	struct archive_key key; /* of the pass, where the session has changes */
};

/* Does the same. Writes the records that policies changed or dropped, as they were, with what is
 * known of each, the lists of the session, and then the pass. drops_bad: bad lines are not in the
 * output. Writes nothing for a session without a change. The bytes of the session must stay until
 * the output is flushed. */
void archive_pass_write(struct archive_pass *pass, bool drops_bad, struct output *out);

#endif
