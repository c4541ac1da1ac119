#ifndef CTX_DIFF_DIFF_LIST_H
#define CTX_DIFF_DIFF_LIST_H

/*
 * The changes of the messages as a list for people: a line for each, in the form of ctx-show. Long
 * runs of unchanged messages are folded; below a cut message are the lines that it lost.
 *
 *     OLD    NEW  role        tokens  diff     text
 *              … 31 messages as they were
 *      57     12  tool            41  cut        static void reset(struct gauge *gauge)
 *                                     312 tokens before
 *               - {
 *               - … 35 more lines
 */

#include "face/run.h"
#include "face/terminal/screen.h"
#include "match.h"

struct diff_list {
	struct screen *screen;
	struct run *run;       /* the run to whose output the list is written */
	uint64_t context;      /* messages that are shown around others */
	uint32_t turn;         /* of the last line */
	struct buf line, part; /* scratch */
};

void diff_list_write(struct diff_list *list, const struct match_rows *rows,
    const struct told_all *was, const struct told_all *now);

#endif
