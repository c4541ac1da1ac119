#ifndef CTX_SHOW_STEP_PAGE_H
#define CTX_SHOW_STEP_PAGE_H

/*
 * The session as a page (face/page/page.h): every message as a whole, with the columns of the list,
 * and the timeline after the messages.
 */

#include "face/page/page_message.h"
#include "plan_file.h"
#include "steps.h"
#include "timeline.h"

struct step_page {
	struct page page;
	const struct plan_file *plan; /* NULL: without a plan */
	/* the file that ctx-restore would restore; NULL: there is not one file */
	const char *log;
	bool has_members; /* metadata and all other members are shown, too */
	bool has_begun;
	bool is_bad;       /* the last entry is of bad lines, and is still open */
	const char *title; /* of the page; NULL: the input is typed or comes through a pipe */
	bool names_files;
	const char *file; /* of the last step */
	uint32_t turn;
	uint64_t tokens;
	struct buf role, marks, words, text;
	struct str *use; /* of the calls of the message at hand */
	size_t use_cap;
};

/* file has the files that are shown. */
void step_page_init(struct step_page *step_page, char *const *file, unsigned file_count,
    const struct plan_file *plan, bool has_members);

/* Adds the step. Unless timeline is NULL, the message is also part of it, and the page will end
 * with it. */
void step_page_add(struct step_page *step_page, const struct step *step, struct timeline *timeline);

/* Ends the page, with the timeline unless that is NULL. Does nothing if there was no step. */
void step_page_end(struct step_page *step_page, struct timeline *timeline);

void step_page_free(struct step_page *step_page);

#endif
