#ifndef SUMMARIZER_BRIEF_H
#define SUMMARIZER_BRIEF_H

/*
 * What a summarizer reads: an earlier summary, and the messages that it is to summarize, as they
 * were in the input. The text form is a whole prompt:
 *
 *     You write the summary ...                      what to do and what to keep
 *     === 0f3a… earlier summary
 *     …
 *     === 0f3a… message 1: user (trusted)
 *     …
 *     === 0f3a… message 2: result of bash, error (untrusted)
 *     …
 *     === 0f3a… end
 *     …
 *
 * The digits are a hash of all that stands in the blocks. So no content can have them, and none can
 * end its block. The text is harmless (base/text/harmless.h). Results and arguments of calls are
 * cut to BRIEF_SHOWN characters.
 *
 * The records form has the records alone, one a line, whole, each with a member "trust" at its end
 * that says whose words they are: "trusted", those of the user or of whoever wrote the prompt;
 * "model", those of the assistant or of a summary; "untrusted", all others. A member of that name
 * that a record came with is taken out.
 *
 * The lines form is for commands that write a line for each line that they read. It has the
 * messages alone, each in a line of its text form, in which line feeds and tabs are \n and \t:
 *
 *     user (trusted): Mend the lamps.
 *     assistant (model): I look at the quay.\ncalls read {"path":"src/quay.c"}
 *     result of read (untrusted): int quay(void);\nint lamp(void);
 */

#include "data/session/session.h"

enum { BRIEF_SHOWN = 2000 };

struct brief {
	const struct session *session;
	const uint32_t *entry; /* to be summarized, in their order */
	uint32_t count;
	struct entry earlier; /* the summary that is brought up to date */
	bool has_earlier;
	uint64_t tokens; /* the most of the answer */
};

void brief_write_text(const struct brief *request, struct buf *buf);
void brief_write_lines(const struct brief *request, struct buf *buf);
void brief_write_records(const struct brief *request, struct buf *buf);

#endif
