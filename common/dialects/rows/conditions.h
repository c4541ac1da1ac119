#ifndef ROWS_CONDITIONS_H
#define ROWS_CONDITIONS_H

/*
 * Conditions on a value, as the rows of a dialect spell them, with spaces between:
 *
 *     payload.id            there is such a member, and it is not null
 *     !payload.id           there is none
 *     type=message|call     it is one of these strings
 *     schema^ATIF           it is a string that begins with ATIF
 *     schema^'A b'          the same, with spaces in it; the last of the conditions
 *     content:text          it is a string or an array; or :string, :array, :object, :number,
 *                           :true, :false
 *     content:any           there is such a member, which may be null
 *
 * No conditions always hold. The paths are those of member_path.h, with one choice each.
 */

#include "dialects/rows/member_path.h"

enum { CONDITION_WORDS = 16, CONDITIONS_MAX = 6 };

enum condition_test {
	CONDITION_THERE,
	CONDITION_IS,
	CONDITION_BEGINS,
	CONDITION_TYPE,
};

struct condition {
	struct member_path at;
	enum condition_test test;
	bool is_negated;
	unsigned types; /* bits of enum json_type */
	unsigned words;
	struct str word[CONDITION_WORDS];
};

struct conditions {
	unsigned count;
	struct condition *list; /* in the arena of the tree */
	/* The names of the tree's first level, as of member_there, without which the conditions
	 * never hold. */
	uint64_t needed;
};

/* Compiles the text, a constant of the program, or NULL. A text that cannot be compiled sets
 * is_broken of the tree. */
void conditions_compile(struct conditions *conditions, struct member_tree *tree,
    const struct member_variables *variables, const char *text);

bool conditions_hold(const struct conditions *conditions, struct member_view *view);

/* The conditions of the rows of a table, which is a constant of the program. They are compiled at
 * the first use, and stay until the program ends. */
struct conditions_table {
	const char *const *when; /* those of the first row … */
	size_t size, count;      /* … the bytes of a row, and how many rows there are */
	struct member_tree tree;
	struct conditions *row; /* one for each row; NULL: not yet compiled */
};

/* when is the member of a row with the text of its conditions. */
#define CONDITIONS_TABLE(rows) \
	{ \
		.when = &(rows)[0].when, .size = sizeof(rows)[0], .count = ARRAY_COUNT(rows), \
		.tree = MEMBER_TREE_INIT \
	}

/* Opens the view of the value, for conditions_hold with each row of the table. */
void conditions_table_open(
    struct conditions_table *table, struct member_view *view, struct json_value value);

/* Sets rows to the numbers of the rows whose conditions may hold, since the value has all members
 * that they need; it has room for all rows of the table. Returns how many there are. Of the many
 * rows of a large table, few are left. */
unsigned conditions_table_list(
    const struct conditions_table *table, struct member_view *view, uint8_t *rows);

/* The number of the first row whose conditions hold of the value; table->count: there is none. */
size_t conditions_table_find(struct conditions_table *table, struct json_value value);

#endif
