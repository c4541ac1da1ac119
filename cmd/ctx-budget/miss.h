#ifndef MISS_H
#define MISS_H

/*
 * Why the cache missed, told in the forms of the budget: a comparison (against.h) is run and
 * written. Text of records is put into its visible form.
 */

#include "face/run.h"
#include "report.h"

struct miss_how {
	enum report_form form; /* FORM_STREAM is that of people, too */
	enum color color;
	struct estimator *estimator;
	const struct model *model; /* NULL when none was named */
};

/* Compares the input of the run with the earlier request at path, and adds what was found to the
 * output. The status of the run becomes STATUS_NO when they differ before the end of the earlier
 * one. Sets the fault of the run, with status 64, 65, 66 or 74, when one of them cannot be
 * compared. */
void miss_tell(struct run *run, const char *path, const struct miss_how *how);

#endif
