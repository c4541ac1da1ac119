#ifndef CTX_BUDGET_SESSION_REPORT_H
#define CTX_BUDGET_SESSION_REPORT_H

/* The reports of sessions that were measured, and what is said beside them. */

#include "ctx_budget.h"

/* Writes the report of the session that was measured, in the form that was asked for. name is that
 * of the session when there are others. */
void session_report_write(
    struct ctx_budget *all, struct measure *measure, const char *name, const struct cuts *cuts);

/* Writes the report of each session, in the order of the operands. */
void session_report_write_each(struct ctx_budget *all);

#endif
