#ifndef DATA_ARCHIVE_PASS_H
#define DATA_ARCHIVE_PASS_H

/*
 * A pass says how to undo what one run did to a stream. It is found by the key of the stream that
 * the run wrote, so that nothing in that stream has to tell of it. The log may have grown since: a
 * pass holds for the lines that it wrote, wherever they end.
 *
 *     {"stream":KEY,"edits":[{"at":2,"gone":KEY},{"at":2,"new":true},{"at":3,"was":KEY}]}
 *
 *     at      lines of the output that stand before the place
 *     gone    a record stood there       with "end", if its line did not end in LF alone, and
 *                                        "bom", if a byte order mark stood in front of it
 *     new     the line there was added
 *     was     the line there was that record
 *
 * Budget records are in no count. The pass has the key of the one that the run wrote, if it did,
 * and those that were there before, of which at counts lines of the input:
 *
 *     "budget":{"wrote":KEY,"had":[{"at":9,"gone":KEY}]}
 *
 * "open":true says that the last line of the input had no line end.
 */

#include "data/archive.h"
#include "stream/output.h"

/* Writes the records that policies changed or dropped, as they were, the lists of the session, and
 * then the pass. drops_bad: bad lines are not in the output. Writes nothing for a session without a
 * change. The bytes of the session must stay until the output is flushed. */
void archive_pass_write(const struct session *session, bool drops_bad, struct output *out);

#endif
