#ifndef SUMMARIZER_BRIEF_H
#define SUMMARIZER_BRIEF_H

/*
 * The input of a summarizer: an earlier summary, and the messages to summarize, as they were in the
 * input. The text form is a whole prompt:
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
 * The digits are a hash of the content of all blocks. So no content can contain them, and none can
 * end its block. The text is harmless (base/text/harmless.h). Results and arguments of calls are
 * cut to BRIEF_SHOWN characters.
 *
 * The records form has the records alone, one a line, whole, each with a member "trust" at its end
 * that names the source of the words: "trusted", the user or the author of the prompt; "model", the
 * assistant or a summary; "untrusted", all others. A member "trust" that a record already has is
 * removed.
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
	uint64_t tokens; /* the most tokens of the answer */
};

void brief_write_text(const struct brief *request, struct buf *buf);
void brief_write_lines(const struct brief *request, struct buf *buf);
void brief_write_records(const struct brief *request, struct buf *buf);

#endif
