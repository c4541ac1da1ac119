#ifndef CTX_BUDGET_SESSION_REPORT_H
#define CTX_BUDGET_SESSION_REPORT_H

/* The reports of measured sessions, and the diagnostics for them. */

#include "ctx_budget.h"

/* Writes the report of the measured session in the requested form. name is the name of the session,
 * or NULL if it is the only one. */
void session_report_write(
    struct ctx_budget *all, struct measure *measure, const char *name, const struct cuts *cuts);

/* Writes the report of each session, in the order of the operands. */
void session_report_write_each(struct ctx_budget *all);

#endif
