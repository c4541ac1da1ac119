#ifndef CTX_SHOW_TIMELINE_PAGE_H
#define CTX_SHOW_TIMELINE_PAGE_H

/*
 * The timeline of a page: a table, in which the bars of all rows are one picture, with the lines of
 * the window; and the tools and files with the most tokens.
 */

#include "face/page/page.h"
#include "timeline.h"

void timeline_page_add(struct timeline *timeline, struct page *page);

#endif
