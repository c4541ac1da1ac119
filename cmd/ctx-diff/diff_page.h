#ifndef CTX_DIFF_DIFF_PAGE_H
#define CTX_DIFF_DIFF_PAGE_H

/*
 * The changes of the messages as a page (face/page/page.h): an entry for each row, with its whole
 * text. Of a cut message, the lines that it lost and got are shown among the lines that it kept.
 * Unchanged texts can be unfolded. An entry has its number in NEW, or, if it is gone, its number in
 * OLD.
 */

#include "face/page/page.h"
#include "face/run.h"
#include "match.h"

/* The most bytes of the first words of a message, which are shown instead of a folded text. */
enum { DIFF_PAGE_WORDS = 400 };

struct diff_page {
	const char *old_name, *new_name; /* the names in the title */
	struct run *run;                 /* the run to whose output the page is written */
	struct page page;
	uint32_t turn; /* of the last entry */
	struct buf marks, label;
};

void diff_page_write(struct diff_page *diff_page, const struct match_rows *rows,
    const struct told_all *was, const struct told_all *now);

#endif
