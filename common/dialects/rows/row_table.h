#ifndef ROWS_ROW_TABLE_H
#define ROWS_ROW_TABLE_H

/*
 * Rows that are compiled: once in a process, for all readers of the dialect. Nothing is freed.
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
	    sealed, within, at;
	const struct row_plan_member *meta, *sets;
	const struct row_table *inside;
	const struct row_plan_piece *pieces; /* at least one */
	const struct json_names *known;      /* NULL: what is known is not said */
};

/* A member of the value of which rows ask that it is one of some words, such as type. Each row is a
 * bit of a mask, and its condition is no more tested. */
struct row_kinds {
	struct member_path at;
	struct json_names names;
	struct str word[JSON_NAMES_MAX];
	uint64_t rows[JSON_NAMES_MAX]; /* that ask for the word */
	uint64_t others;               /* rows that do not ask */
};

struct row_table {
	const struct row_dialect *dialect;
	const struct row *rows;
	struct member_tree tree;
	struct row_plan *plan;
	unsigned count;
	struct row_kinds *kinds; /* NULL: no row asks for one */
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
