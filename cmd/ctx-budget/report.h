#ifndef CTX_BUDGET_REPORT_H
#define CTX_BUDGET_REPORT_H

/*
 * The forms of the budget: the record, and the texts for people and scripts that are written
 * instead of the stream.
 */

#include "policy/budget/measure.h"
#include "policy/budget/models.h"
#include "face/terminal/terminal.h"

/* The output: the stream, or the budget in one of its forms. */
enum report_form { FORM_STREAM, FORM_TABLE, FORM_JSON, FORM_BRIEF };

/* A place where the log can be cut without separating a call from its result. */
struct cut {
	uint32_t line; /* the line of the first record after the cut */
	uint32_t turn;
	struct str execution;
	uint64_t before; /* tokens */
	uint64_t after;
};

/* Everything that a form may show. */
struct report {
	const char *name; /* of the session; NULL: it is the only one */
	bool is_keyed;    /* the name is a key of --session-key, and not a file's */
	const struct budget *budget;
	const struct estimator *estimator; /* as fitted */
	const struct measure *measure;
	const struct model *model; /* NULL when none was named */
	struct price price;
	const struct cut *cuts;
	size_t cut_count;
	bool has_cuts;
};

/* Sets report->price from the other members. */
void report_set_price(struct report *report);

/* The tokens of a row or a cut, on the scale of the budget. */
uint64_t report_scaled(const struct report *report, uint64_t tokens);

/* Appends one JSON object, without a line end. */
void report_write_json(const struct report *report, struct buf *buf);

/* Appends a table as wide as the terminal, with bars in UTF-8 or ASCII. */
void report_write_table(
    const struct report *report, const struct terminal *terminal, struct buf *buf);

/* Appends the row of one of several sessions, after a line of headings unless is_next is set. */
void report_write_row(
    const struct report *report, const struct terminal *terminal, bool is_next, struct buf *buf);

/* Appends the reasons of the budget, with a blank before each. */
void report_write_reasons(const struct budget *budget, struct buf *buf);

/* Appends one short line, without a line end. */
void report_write_brief(const struct report *report, struct buf *buf);

#endif
