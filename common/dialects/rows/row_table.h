#ifndef ROWS_ROW_TABLE_H
#define ROWS_ROW_TABLE_H

/*
 * Compiled rows. Rows are compiled once in a process, for all readers of the dialect, and never
 * freed.
 */

#include "dialects/rows/row.h"
#include "json/scan.h"

struct row_plan_member {
	struct str name; /* empty: the end of the list */
	struct member_path at;
	unsigned variable; /* of sets: its index */
};

struct row_plan_piece {
	struct member_path at; /* choices of 0: the end of the list */
	const struct row_table *inside;
};

struct row_plan {
	const struct row *row;
	struct conditions when, error, success, left, streamed;
	struct member_path role, id, record, parent, keeps, asked, name, content, arguments, media,
	    sealed, signature, within, at;
	const struct row_plan_member *meta, *sets;
	const struct row_table *inside;
	const struct row_plan_piece *pieces; /* at least one */
	/* NULL: the row does not say which members are known */
	const struct json_names *known;
};

/* A member, such as type, that rows compare with words. Its value gives a mask with a bit for each
 * row, so that the conditions on it need no test. */
struct row_kinds {
	struct member_path at;
	struct json_names names;
	struct str word[JSON_NAMES_MAX];
	uint64_t rows[JSON_NAMES_MAX]; /* the rows that require the word */
	uint64_t others;               /* the rows without such a condition */
};

struct row_table {
	const struct row_dialect *dialect;
	const struct row *rows;
	struct member_tree tree;
	struct row_plan *plan;
	unsigned count;
	struct row_kinds *kinds; /* NULL: no row has such a condition */
	const struct row_plan_member *carried, *answered;
	struct row_table *next;
};

const struct row_table *row_table_compile(
    const struct row_dialect *dialect, const struct row *rows);

/* Whether a path from the record, of any table of the dialect, begins with the name. */
bool row_table_has_record(const struct row_dialect *dialect, struct str name);

/* The first row whose conditions hold, or NULL. */
const struct row_plan *row_table_find(const struct row_table *table, struct member_view *view);

#endif
