#ifndef CTX_DIFF_FIGURES_H
#define CTX_DIFF_FIGURES_H

/*
 * The output of --stat: where two sides differ, and how many tokens they share. Text of records is
 * made visible.
 */

#include "against.h"
#include "face/terminal/terminal.h"
#include "policy/budget/models.h"

struct figures {
	const struct against *against;
	const struct model *model; /* NULL when none was named */
	struct price price;        /* of the later request, without the cache and with it */
};

/* Each appends one form: the object of JSON and the short line have no line end. */
void figures_write_table(
    const struct figures *figures, const struct terminal *terminal, struct buf *buf);
void figures_write_json(const struct figures *figures, struct buf *buf);
void figures_write_brief(const struct figures *figures, struct buf *buf);

#endif
