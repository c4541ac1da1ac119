#ifndef CTX_DIFF_DIFF_PAGE_H
#define CTX_DIFF_DIFF_PAGE_H

/*
 * What has become of the messages, as a page (face/page/page.h): an entry a row, with all of its
 * text. Of what is cut the lines are shown that it lost and got, among those that it kept; what is
 * kept can be unfolded. An entry has its number in NEW, or, where it is gone, that in OLD.
 */

#include "face/page/page.h"
#include "face/run.h"
#include "match.h"

/* Bytes of the first words of a message, which stand for what is folded. */
enum { DIFF_PAGE_WORDS = 400 };

struct diff_page {
	const char *old_name, *new_name; /* what the title says */
	struct run *run;                 /* where it is written */
	struct page page;
	uint32_t turn; /* of the last entry */
	struct buf marks, label;
};

/* Writes all of it. */
void diff_page_write(struct diff_page *diff_page, const struct match_rows *rows,
    const struct told_all *was, const struct told_all *now);

#endif
