#ifndef CTX_SHOW_STEP_LIST_H
#define CTX_SHOW_STEP_LIST_H

/*
 * The list: a line for each message or call, in the order of the file, and a rule where a turn or
 * another day begins.
 *
 *     N  time  role        tokens  text
 *     1  09:02 user            21  The gauge drifts after a reset
 *              read            14    src/gauge.c (lines 40-95)
 */

#include "plan_file.h"
#include "face/terminal/screen.h"
#include "steps.h"

struct step_list {
	struct screen *screen;
	const struct plan_file *plan; /* NULL: no column of it */
	/* the file that ctx-restore would restore; NULL: there is not one file */
	const char *log;
	bool has_begun;
	uint64_t tokens; /* tokens counted so far */
	uint32_t turn;   /* of the last counted message */
	int64_t day;     /* since 1970, of the last message with a time; -1: none had one */
	struct buf words, line, role;
};

/* log is the file that is shown, or NULL. */
void step_list_init(
    struct step_list *list, struct screen *screen, const struct plan_file *plan, const char *log);

/* Adds the lines of the step to the screen. */
void step_list_add(struct step_list *list, const struct step *step);

/* Adds the last line, which has the sum. Does nothing if there is no line. */
void step_list_end(struct step_list *list);

void step_list_free(struct step_list *list);

#endif
